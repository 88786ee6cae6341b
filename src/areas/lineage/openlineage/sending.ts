import type { RunEvent } from './writing.ts'

/** Where lineage is sent on to. */
export interface Collector {
  /** What the API of the collector is below: `https://marquez.example.org`; a whole path is taken as it is. */
  readonly url: string
  readonly key?: string
}

export interface LineageRequest {
  readonly url: string
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const DEFAULT_PATH = '/api/v1/lineage'

export function lineageRequest({ url, key }: Collector, event: RunEvent): LineageRequest {
  const address = new URL(url)
  if (address.pathname === '/') address.pathname = DEFAULT_PATH
  return {
    url: address.href,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(event)
  }
}

/** What came of a request: whether it is done, is tried again after a while, or is never taken. */
export type Sent =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'again'; readonly afterMs: number; readonly reason: string }
  | { readonly outcome: 'refused'; readonly reason: string }

export interface CollectorAnswer {
  readonly status: number
  readonly retryAfter?: string | undefined
  /** What it said, or the beginning of it. */
  readonly text: string
}

const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 3_600_000
const MAX_REASON_CHARS = 500

/** By the status. `attempt` is 1 the first time, and `key` what no reason may repeat. */
export function sentBy(answer: CollectorAnswer, attempt: number, nowMs: number, key?: string): Sent {
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  const reason = reasonOf(answer, key)
  if (status >= 500 || status === 429 || status === 408) {
    return { outcome: 'again', afterMs: askedWaitMs(retryAfter, nowMs) ?? waitMs(attempt), reason }
  }
  return { outcome: 'refused', reason }
}

/** Where there was no answer at all. */
export function notSent(reason: string, attempt: number): Sent {
  return { outcome: 'again', afterMs: waitMs(attempt), reason }
}

function waitMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, attempt - 1), MAX_WAIT_MS)
}

/** Seconds, or a date; undefined where it is neither, or over. */
function askedWaitMs(retryAfter: string | undefined, nowMs: number): number | undefined {
  const text = (retryAfter ?? '').trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return ms > 0 ? Math.min(ms, MAX_WAIT_MS) : undefined
}

function reasonOf({ status, text }: CollectorAnswer, key: string | undefined): string {
  if (status >= 300 && status < 400) {
    return `The collector answered with a redirect (${status}), which is not followed; give the address it points to`
  }
  const said = (key ? text.replaceAll(key, '********') : text).replace(/\s+/g, ' ').trim()
  if (said === '') return `The collector answered ${status} and said nothing`
  return `The collector answered ${status}: ${said.slice(0, MAX_REASON_CHARS).toWellFormed()}`
}
