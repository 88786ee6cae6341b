import type { IncomingHttpHeaders } from 'node:http'
import type { ByteRange, WriteConditions } from '../../engines/objects/index.ts'
import { invalidField } from '../../errors.ts'

interface Facts {
  readonly etag: string
  readonly modifiedAt: string
}

/** Whether an answer depends on the state of the object beyond its content. */
export function isConditional(headers: IncomingHttpHeaders): boolean {
  return CONDITIONS.some((name) => headers[name] !== undefined)
}

const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'] as const

/** RFC 9110, section 13.2.2: evaluates the conditions of a read, in this order. */
export function judge(headers: IncomingHttpHeaders, facts: Facts): 'send' | 'not modified' | 'failed' {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  if (ifMatch !== undefined) {
    if (!namesExactly(ifMatch, facts.etag)) return 'failed'
  } else if (isAfter(facts.modifiedAt, headers['if-unmodified-since'])) return 'failed'
  if (ifNoneMatch !== undefined) return matchesWeakly(ifNoneMatch, facts.etag) ? 'not modified' : 'send'
  const since = headers['if-modified-since']
  return secondsOf(since) !== undefined && !isAfter(facts.modifiedAt, since) ? 'not modified' : 'send'
}

/** The range that is asked for, if it is still of the same object; several ranges are answered with the whole. */
export function rangeOf(headers: IncomingHttpHeaders, facts?: Facts): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  const ifRange = headers['if-range']
  if (ifRange !== undefined && facts !== undefined && !isStill(ifRange as string, facts)) return undefined
  if (first === '') return { last: clamp(last) }
  if (last !== '' && clamp(last) < clamp(first)) return undefined
  return { start: clamp(first), end: last === '' ? undefined : clamp(last) }
}

function isStill(ifRange: string, { etag, modifiedAt }: Facts): boolean {
  if (ifRange.startsWith('"')) return ifRange === etag
  return secondsOf(ifRange) === Math.floor(Date.parse(modifiedAt) / 1000)
}

/** `If-None-Match: *` and `If-Match: "…"` of a write; no store can promise any other condition. */
export function writeConditionsOf(headers: IncomingHttpHeaders): WriteConditions {
  const ifNoneMatch = headers['if-none-match']
  const ifMatch = headers['if-match']
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*') {
    throw invalidField('/headers/if-none-match', 'must be * on a write: only if there is no object yet')
  }
  if (ifMatch !== undefined && !/^"[^"]*"$/.test(ifMatch.trim())) {
    throw invalidField('/headers/if-match', 'must be one entity tag in quotes, as it was answered')
  }
  return { ifAbsent: ifNoneMatch !== undefined, ifMatch: ifMatch?.trim() }
}

function namesExactly(header: string, etag: string): boolean {
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag)
}

/** Weak comparison: for a cache an equivalent content is good enough. */
function matchesWeakly(header: string, etag: string): boolean {
  return namesExactly(header.replaceAll('W/"', '"'), etag)
}

/** Compares to the second, which is all that the headers hold. */
function isAfter(modifiedAt: string, header: string | undefined): boolean {
  const since = secondsOf(header)
  return since !== undefined && Math.floor(Date.parse(modifiedAt) / 1000) > since
}

function secondsOf(header: string | undefined): number | undefined {
  const ms = header === undefined ? Number.NaN : Date.parse(header)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}

function clamp(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}
