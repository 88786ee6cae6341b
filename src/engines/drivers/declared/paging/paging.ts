import { jsonText } from '../../common/values.ts'
import { SourceError } from '../../errors.ts'
import type { Paging, ParamPlace } from '../entry.ts'
import type { Answer, Outgoing } from '../outgoing.ts'
import { nextIn, type PageToken } from './next.ts'

const FIRST_PAGE = 1
/** Pages without a record, one after the other, that a service may send before that is an error. */
const MAX_EMPTY = 1000
/** How often the same page may come again where pages are counted. */
const MAX_REPEATS = 10
/** Tokens that are remembered, to see when a page leads back. */
const MAX_TOKENS = 10_000

export interface SeenPage {
  readonly answer: Answer
  readonly records: readonly unknown[]
  /** What led to it; undefined for the first. */
  readonly token: PageToken | undefined
}

/** The request for a page. */
export function pageRequest(request: Outgoing, paging: Paging, token: PageToken | undefined): Outgoing {
  if (paging.kind === 'none') return request
  if (paging.kind === 'next-url') {
    return token === undefined ? sized(request, paging) : { ...request, url: nextUrl(request.url, String(token)) }
  }
  const value = token ?? firstOf(paging)
  const withSize = sized(request, paging)
  return value === undefined ? withSize : withParam(withSize, paging.in ?? 'query', paging.param, value)
}

/** What stands in the templates of a stream for where its page is, where paging goes by these. */
export function pageScope(paging: Paging, token: PageToken | undefined): Record<string, unknown> | undefined {
  if (!('in' in paging) || paging.in !== 'template') return undefined
  const { param, sizeParam, size } = paging
  return { [param]: token ?? firstOf(paging), ...(sizeParam !== undefined && { [sizeParam]: size }) }
}

/** What leads to the first page; undefined where nothing does. */
function firstOf(paging: Paging): number | undefined {
  if (paging.kind === 'page') return paging.start ?? FIRST_PAGE
  return paging.kind === 'offset' ? (paging.start ?? 0) : undefined
}

function sized(request: Outgoing, paging: Exclude<Paging, { kind: 'none' }>): Outgoing {
  const { size, sizeParam } = paging
  if (size === undefined || sizeParam === undefined) return request
  return withParam(request, ('in' in paging ? paging.in : undefined) ?? 'query', sizeParam, size)
}

/** The request with a value at a place. In a body, a name with dots leads into it. */
export function withParam(request: Outgoing, place: ParamPlace, name: string, value: string | number): Outgoing {
  switch (place) {
    case 'query': {
      const url = new URL(request.url)
      url.searchParams.set(name, String(value))
      return { ...request, url }
    }
    case 'header':
      return { ...request, headers: { ...request.headers, [name]: String(value) } }
    case 'form': {
      const form = request.body !== undefined && 'form' in request.body ? request.body.form : {}
      return { ...request, body: { form: { ...form, [name]: String(value) } } }
    }
    case 'body': {
      const json = request.body !== undefined && 'json' in request.body ? request.body.json : {}
      return { ...request, body: { json: withMember(json, name.split('.'), value) } }
    }
    case 'template':
      return request
  }
}

function withMember(json: unknown, [name = '', ...rest]: readonly string[], value: string | number): unknown {
  const known = typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {}
  const inner = rest.length === 0 ? value : withMember(Object.getOwnPropertyDescriptor(known, name)?.value, rest, value)
  return Object.fromEntries([...Object.entries(known).filter(([other]) => other !== name), [name, inner]])
}

/** The address of a next page, which has to be at the same server. */
function nextUrl(current: URL, told: string): URL {
  const url = URL.parse(told, current)
  // Behind some servers nobody knows that they are spoken to with encryption.
  if (url?.protocol === 'http:' && current.protocol === 'https:' && url.port === '') url.protocol = 'https:'
  if (url !== null && url.origin === current.origin && url.username === '' && url.password === '') return url
  throw new SourceError(
    'refused_by_policy',
    'It names an address at another server for the next page, which is not followed'
  )
}

/** Goes from page to page of one list, and sees that it gets on. */
export class Pages {
  readonly #paging: Paging
  readonly #tokens = new Set<PageToken>()
  #empty = 0
  /** What the last page held, where pages are counted. */
  #held = ''
  #repeats = 0

  constructor(paging: Paging) {
    this.#paging = paging
  }

  /** Whether the last page was the one before it again: as many were inserted meanwhile, or the service does not count. */
  get isRepeated(): boolean {
    return this.#repeats > 0
  }

  /** What leads to the page after this one; undefined where it was the last. */
  after(page: SeenPage): PageToken | undefined {
    const next = this.#nextOf(page)
    if (next === undefined) return undefined
    this.#empty = page.records.length === 0 ? this.#empty + 1 : 0
    if (page.token !== undefined) this.#remember(page.token)
    if (this.#tokens.has(next)) {
      // Some go on naming the last page once there is nothing more.
      if (page.records.length === 0) return undefined
      throw new SourceError(
        'bad_request',
        'Paging does not get on: what it names as the next page was read before. What is known of its paging is wrong'
      )
    }
    if (this.#empty < MAX_EMPTY) return next
    throw new SourceError('bad_request', `Paging does not get on: ${MAX_EMPTY} pages in a row have no record`)
  }

  #remember(token: PageToken): void {
    if (this.#tokens.size >= MAX_TOKENS) this.#tokens.delete(this.#tokens.values().next().value as PageToken)
    this.#tokens.add(token)
  }

  /** A service that does not count sends the same page for ever; one whose records become more may send it a few times. */
  #seeChange(records: readonly unknown[]): void {
    const held = records.length === 0 ? '' : `${records.length} ${jsonText([records[0], records.at(-1)])}`
    this.#repeats = held !== '' && held === this.#held ? this.#repeats + 1 : 0
    if (this.#repeats > MAX_REPEATS) {
      throw new SourceError(
        'bad_request',
        'Paging does not get on: it answers with the same page again and again. What is known of its paging is wrong'
      )
    }
    this.#held = held
  }

  #nextOf({ answer, records, token }: SeenPage): PageToken | undefined {
    const paging = this.#paging
    if (paging.kind === 'none') return undefined
    if (paging.kind === 'page' || paging.kind === 'offset') this.#seeChange(records)
    const isShort = paging.size !== undefined && records.length < paging.size
    switch (paging.kind) {
      case 'page':
        return records.length === 0 || isShort ? undefined : Number(token ?? firstOf(paging)) + 1
      case 'offset':
        return records.length === 0 || isShort ? undefined : Number(token ?? firstOf(paging)) + records.length
      default: {
        const isByRecord = paging.next.startsWith('last.')
        if (isByRecord && (records.length === 0 || isShort)) return undefined
        return nextIn(paging.next, paging.kind, { answer, records })
      }
    }
  }
}
