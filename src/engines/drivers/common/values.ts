import { toTimestampText } from '../../sql/times.ts'
import type { StreamValue } from '../index.ts'

const ISO_TIME = /^(\d{4,}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?(?:Z|\+00:?00| UTC)?$/

/** A time in UTC as this project writes it, from its ISO form; null for what is none. */
export function timeText(text: string): string | null {
  const [, day, time = '', fraction = ''] = ISO_TIME.exec(text) ?? []
  if (day === undefined) return null
  return toTimestampText(`${day} ${time.length === 5 ? `${time}:00` : time}${fraction}`)
}

/** The ISO form of a time that a position or a user gave: a day, or a time in UTC. */
export function isoTime(text: string): string {
  const [, day = text, time] = /^(\d{4,}-\d\d-\d\d)(?:[ T](.+))?$/.exec(text) ?? []
  if (time === undefined) return `${day}T00:00:00Z`
  return `${day}T${/(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(time) ? time : `${time}Z`}`
}

export function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null
  return typeof value === 'string' && /^[+-]?\d+$/.test(value) ? BigInt(value) : null
}

/** Of 32 bits at the most. */
export function smallNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number === (number | 0) ? number : null
}

export function double(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || value.trim() === '') return null
  const word = /^([+-]?)inf(?:inity)?$/i.exec(value)
  if (word !== null) return word[1] === '-' ? -Infinity : Infinity
  const number = Number(value)
  return Number.isNaN(number) && !/^nan$/i.test(value) ? null : number
}

/** Of text or a number; others have no exact form. */
export function decimalText(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(value) ? value : null
}

export function truth(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 1 ? true : value === 'false' || value === 0 ? false : null
}

/** Types of the language do not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** What stands for a value that no writer of JSON gets to the end of. */
const TOO_DEEP = JSON.stringify({ _error: 'It is nested too deeply to be kept' })

/** A value as JSON; whole numbers that were read exactly stay exact. */
export function jsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  try {
    return JSON.stringify(value) ?? null
  } catch (error) {
    // One value that nobody can write must not keep all others from being read.
    if (error instanceof RangeError) return TOO_DEEP
    // A bigint, of which few values have one: to look at each member takes several times as long.
    return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? rawJSON(String(part)) : part)) ?? null
  }
}

/** A text as it is, anything else as JSON. */
export const text = (value: unknown): StreamValue => (typeof value === 'string' ? value : jsonText(value))
