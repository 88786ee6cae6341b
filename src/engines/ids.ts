import { hash } from 'node:crypto'
import type { Clock } from './clock.ts'
import { takeRandom } from './random.ts'

/** Prefixed identifiers that sort by the time they were made: `usr_` + 10 characters of time + 16 of chance. */
export type MakeId = (prefix: string) => string

// Crockford's alphabet in lower case: sorts like its values, and leaves out letters that are read as digits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RANDOM_CHARS = 16

export function createIds(clock: Clock): MakeId {
  let lastMs = -1
  let timePart = ''
  const last = new Uint8Array(RANDOM_CHARS)

  return (prefix) => {
    const ms = clock.now()
    if (ms > lastMs) {
      lastMs = ms
      timePart = encodeTime(ms)
      const random = takeRandom(RANDOM_CHARS)
      for (let i = 0; i < RANDOM_CHARS; i++) last[i] = (random[i] as number) & 31
    } else {
      increment(last) // same millisecond, or a clock set back: still later than the one before
    }
    let id = `${prefix}_${timePart}`
    for (let i = 0; i < RANDOM_CHARS; i++) id += ALPHABET[last[i] as number]
    return id
  }
}

/** The identifier of something that happens once at a time, the same wherever and whenever it is asked for. */
export function idOfMoment(prefix: string, ms: number, what: string): string {
  const digest = hash('sha256', `${what} ${ms}`, 'buffer')
  let id = `${prefix}_${encodeTime(ms)}`
  for (let i = 0; i < RANDOM_CHARS; i++) id += ALPHABET[(digest[i] as number) & 31]
  return id
}

function encodeTime(ms: number): string {
  let text = ''
  let rest = ms
  for (let i = 0; i < 10; i++) {
    text = ALPHABET[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

function increment(digits: Uint8Array): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i] !== 31) {
      digits[i] = (digits[i] as number) + 1
      return
    }
    digits[i] = 0
  }
}
