import type { Answer } from './outgoing.ts'

const SECOND_MS = 1000
/** Numbers above are moments and no durations: seconds, or milliseconds, since 1970. */
const MOMENT_S = 1_000_000_000
const MOMENT_MS = 1_000_000_000_000

const RESETS = ['x-ratelimit-reset', 'ratelimit-reset', 'x-rate-limit-reset', 'x-ratelimit-reset-after']
const REMAINING = ['x-ratelimit-remaining', 'ratelimit-remaining', 'x-rate-limit-remaining']

/** Whether an answer says that it was asked too often: some say so with 403, and nothing left. */
export function isLimited({ status, headers }: Answer): boolean {
  if (status === 429) return true
  if (status === 503) return headerOf(headers, 'retry-after') !== undefined
  return status === 403 && remainingOf(headers) === 0
}

/** How long a service wants to be left alone, in milliseconds; undefined where it does not say. */
export function waitTold(headers: Answer['headers'], nowMs: number): number | undefined {
  const serverMs = serverTime(headers, nowMs)
  const after = headerOf(headers, 'retry-after')
  if (after !== undefined) {
    if (/^\d{1,12}(?:\.\d+)?$/.test(after)) return Math.ceil(Number(after) * SECOND_MS)
    const moment = Date.parse(after)
    if (!Number.isNaN(moment)) return Math.max(0, moment - serverMs)
  }
  for (const name of RESETS) {
    const reset = headerOf(headers, name)
    const wait = reset === undefined ? undefined : untilReset(reset, serverMs)
    if (wait !== undefined) return wait
  }
  return undefined
}

/** After the last call that was permitted: how long there is no other; undefined while there are some left. */
export function pauseTold(headers: Answer['headers'], nowMs: number): number | undefined {
  return remainingOf(headers) === 0 ? waitTold(headers, nowMs) : undefined
}

function untilReset(text: string, serverMs: number): number | undefined {
  const number = Number(text)
  if (text === '' || Number.isNaN(number)) {
    const moment = Date.parse(text)
    return Number.isNaN(moment) ? undefined : Math.max(0, moment - serverMs)
  }
  if (number < 0) return undefined
  if (number >= MOMENT_MS) return Math.max(0, number - serverMs)
  if (number >= MOMENT_S) return Math.max(0, number * SECOND_MS - serverMs)
  return Math.ceil(number * SECOND_MS)
}

/** Moments are told by the clock of the service, which may be wrong. */
function serverTime(headers: Answer['headers'], nowMs: number): number {
  const moment = Date.parse(headerOf(headers, 'date') ?? '')
  return Number.isNaN(moment) ? nowMs : moment
}

function remainingOf(headers: Answer['headers']): number | undefined {
  for (const name of REMAINING) {
    const text = headerOf(headers, name)
    if (text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text)) return Math.max(0, Number(text))
  }
  return undefined
}

function headerOf(headers: Answer['headers'], name: string): string | undefined {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value)?.trim()
}
