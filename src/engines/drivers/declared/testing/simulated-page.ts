import type { NextPlace, Paging, ParamPlace, StreamEntry } from '../entry.ts'
import type { JsonRecord } from '../reading/records.ts'
import { parseTime } from '../reading/times.ts'
import { memberOf } from '../template/template.ts'

/** What a simulated service was asked. */
export interface SimulatedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** As JSON, or the fields of a form. */
  readonly body: unknown
}

export interface SimulatedAnswer {
  readonly headers: Record<string, string>
  readonly body: unknown
}

/** How many a page has where the entry does not say. */
const USUAL_SIZE = 10
/** Where next addresses of this service have the place. */
const OFFSET = 'simulated_offset'

/** A page of records as a stream of an entry expects it: at its record path, with what leads on at its place. */
export function simulatedPage(
  stream: StreamEntry,
  all: readonly JsonRecord[],
  asked: SimulatedRequest
): SimulatedAnswer {
  const { paging = { kind: 'none' } } = stream
  const records = all.filter((record) => isAskedFor(stream, record, asked))
  const size = sizeOf(paging, asked)
  const start = startOf(paging, records, asked)
  // An answer that is one record has no room for others, or for what leads on.
  const isOne = pathOf(stream).length === 0 && 'next' in paging && isInAnswer(paging.next)
  const page = paging.kind === 'none' ? records : records.slice(start, start + (isOne ? 1 : size))
  const headers: Record<string, string> = {}
  if (isOne) return { headers, body: page[0] ?? {} }
  const body = wrapped(pathOf(stream), page)
  if (!('next' in paging) || start + size >= records.length) return { headers, body }
  return withNext({ headers, body }, paging, tokenOf(paging, asked, tokenText(page, records, start + size)), page)
}

function isAskedFor({ cursor }: StreamEntry, record: JsonRecord, asked: SimulatedRequest): boolean {
  if (cursor === undefined) return true
  const { since, until, field, format } = cursor
  const value = memberOf(record, field.split('.'))
  const ms = parseTime(value, format) ?? Number(value)
  const bound = (told: typeof since) => {
    const text = told && paramIn(asked, told.in ?? 'query', told.param)
    if (text === undefined) return undefined
    return parseTime(text, told?.format ?? format) ?? Number(text)
  }
  const [from, to] = [bound(since), bound(until)]
  return !((from !== undefined && ms < from) || (to !== undefined && ms > to))
}

function sizeOf(paging: Paging, asked: SimulatedRequest): number {
  if (paging.kind === 'none') return Number.POSITIVE_INFINITY
  const told = paging.sizeParam && paramIn(asked, placeOf(paging), paging.sizeParam)
  const left = asked.url.searchParams.get('simulated_size')
  return Number(told ?? left ?? paging.size ?? USUAL_SIZE)
}

const placeOf = (paging: Paging): ParamPlace => ('in' in paging ? paging.in : undefined) ?? 'query'

function startOf(paging: Paging, records: readonly JsonRecord[], asked: SimulatedRequest): number {
  if (paging.kind === 'none') return 0
  if (paging.kind === 'next-url') return placeAfter(records, asked.url.searchParams.get(OFFSET) ?? '0')
  const told = paramIn(asked, placeOf(paging), paging.param)
  if (told === undefined) return 0
  if (paging.kind === 'offset') return Number(told) - (paging.start ?? 0)
  if (paging.kind === 'page') return (Number(told) - (paging.start ?? 1)) * sizeOf(paging, asked)
  const field = lastField(paging.next)
  if (field !== undefined) return placeBehind(records, (record) => memberOf(record, field), told)
  const [, at] = /^token-(.+)$/.exec(told.replace(/^.*[?&]simulated_offset=/, 'token-')) ?? []
  return at === undefined ? Number.POSITIVE_INFINITY : placeAfter(records, at)
}

/** The place that a token of this service leads to: behind a record, where they have ids that grow. */
function placeAfter(records: readonly JsonRecord[], token: string): number {
  const [, id] = /^after-(.+)$/.exec(token) ?? []
  return id === undefined ? Number(token) : placeBehind(records, (record) => record.id, id)
}

/** Behind the record of a value, or of one before it where it is gone. */
function placeBehind(records: readonly JsonRecord[], fieldOf: (record: JsonRecord) => unknown, value: string): number {
  const at = records.findIndex((record) => String(fieldOf(record)) === value)
  if (at >= 0) return at + 1
  const next = records.findIndex((record) => Number(fieldOf(record)) > Number(value))
  return next < 0 ? records.length : next
}

/** What tells a service where to go on: the last record, where they have ids that grow, or a count. */
function tokenText(page: readonly JsonRecord[], records: readonly JsonRecord[], offset: number): string {
  const grows = records.every(({ id }, at) => typeof id === 'number' && id > Number(records[at - 1]?.id ?? 0))
  const last = page.at(-1)
  return grows && last !== undefined ? `after-${last.id}` : String(offset)
}

/** Where the token is a field of the last record: which one. */
function lastField(next: NextPlace): string[] | undefined {
  const [, last, inAnswer] = /^last\.(.+)$|^answer\..*-1\.(.+)$/.exec(next) ?? []
  return (last ?? inAnswer)?.split('.')
}

const isInAnswer = (next: NextPlace) => next.startsWith('answer.')

function tokenOf(paging: Paging, { url }: SimulatedRequest, place: string): string {
  if (paging.kind !== 'next-url') return `token-${place}`
  const next = new URL(url)
  next.searchParams.set(OFFSET, place)
  return next.href
}

function withNext(
  { headers, body }: SimulatedAnswer,
  { kind, next }: Extract<Paging, { next: NextPlace }>,
  token: string,
  page: readonly JsonRecord[]
): SimulatedAnswer {
  if (lastField(next) !== undefined) return { headers, body }
  const [where, ...path] = next.split('.')
  const isList = Array.isArray(body)
  if (next === 'usual') {
    if (kind === 'next-url') return { headers: { link: `<${token}>; rel="next"` }, body }
    return { headers, body: isList ? { data: page, next_cursor: token } : placed(body, ['next_cursor'], token) }
  }
  if (where === 'link') return { headers: { ...headers, link: `<${token}>; rel="${path.join('.') || 'next'}"` }, body }
  if (where === 'header') return { headers: { ...headers, [path.join('.')]: token }, body }
  const at = next.indexOf('.@')
  return {
    headers,
    body: placed(body, at < 0 ? path : [...next.slice(0, at).split('.').slice(1), next.slice(at + 1)], token)
  }
}

const pathOf = ({ records = '' }: StreamEntry): readonly string[] =>
  typeof records === 'string' ? (records === '' ? [] : records.split('.')) : records

/** Records at the end of a path, as `recordsIn` finds them. */
function wrapped(path: readonly string[], records: readonly JsonRecord[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return records
  if (/^\d+$/.test(name)) return [wrapped(rest, records)]
  if (name !== '*') return { [name]: wrapped(rest, records) }
  return rest.length === 0 ? records : records.map((record) => wrapped(rest, [record])).map(only)
}

/** Behind a `*` there is one record each, and no list. */
function only(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1) return value[0]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const [entry] = Object.entries(value)
  return entry === undefined ? value : { [entry[0]]: only(entry[1]) }
}

/** The same with a value at a path. */
function placed(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const known = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonRecord) : {}
  return { ...known, [name]: rest.length === 0 ? value : placed(known[name], rest, value) }
}

function paramIn(asked: SimulatedRequest, place: ParamPlace, name: string): string | undefined {
  switch (place) {
    case 'header': {
      const value = asked.headers[name.toLowerCase()]
      return Array.isArray(value) ? value[0] : value
    }
    case 'body':
    case 'form': {
      const value = memberOf(asked.body, [name]) ?? memberOf(asked.body, name.split('.'))
      return value === undefined ? undefined : String(value)
    }
    default:
      return asked.url.searchParams.get(name) ?? undefined
  }
}
