import { SourceError } from '../../errors.ts'
import type { Caller } from '../caller.ts'
import type { StreamEntry } from '../entry.ts'
import type { PageToken } from '../paging/next.ts'
import { Pages, pageRequest, pageScope } from '../paging/paging.ts'
import type { Requests } from '../requests.ts'
import type { Scope } from '../template/template.ts'
import { type Link, parentScope } from './chain.ts'
import { startOf } from './marks.ts'
import { hashOf, type ListPosition } from './position.ts'
import { type JsonRecord, missingIn, recordsIn } from './records.ts'
import { type Mark, type Slice, sliceFrom, sliceRequest, sliceScope } from './slices.ts'

/** A page of a longer text is let go of before the next one is asked for: there is one large page in memory, not two. */
const MAX_BESIDE = 1 << 20

export interface WalkNeeds {
  readonly caller: Caller
  readonly requests: Requests
  /** Settings. */
  readonly scope: Scope
  readonly signal: AbortSignal
  /** Told what is passed over. */
  note?(message: string): void
  /** Whether the next page is asked for while one is worked on: only for who wants all of them. */
  readonly isAhead?: boolean
}

/** A way through all pages of a stream. */
export interface Walk {
  readonly chain: readonly Link[]
  /** Where the slices of the stream itself begin. */
  readonly since: Mark | undefined
  /** Where they begin for a parent that is not known, by its hash; as for the others unless given. */
  readonly strangers?: { readonly since: Mark | undefined; isKnown(parent: string): boolean } | undefined
  readonly endMs: number
  /** Where it goes on; at the beginning unless given. */
  readonly lists: readonly ListPosition[]
}

/** A page of the stream itself. */
export interface WalkedPage {
  readonly records: readonly JsonRecord[]
  /** So many of them were done before. */
  readonly done: number
  /** What its records get from their parents. */
  readonly parent: Scope
  /** By what the parent is known; undefined where there is none. */
  readonly parentHash: string | undefined
  /** Whether nothing of this parent was read by a read before. */
  readonly isStranger: boolean
  readonly slice: Slice
  /** Whether it is the first of its slice. */
  readonly isFirst: boolean
  /** What the answer has in place of records, where what is told of them does not lead anywhere. */
  readonly missing?: string | undefined
  /** Where one is once so many of its records are done; undefined where that is the end. */
  at(done: number): readonly ListPosition[] | undefined
}

interface ListedPage {
  readonly records: readonly JsonRecord[]
  readonly done: number
  readonly slice: Slice
  readonly page: PageToken | undefined
  readonly isFirst: boolean
  readonly missing?: string | undefined
  readonly next: ListPosition | undefined
}

/** All pages of a stream; for each parent, where it has some, in their order. */
export async function* walked(walk: Walk, needs: WalkNeeds): AsyncGenerator<WalkedPage> {
  const missing: Missing = { count: 0 }
  yield* inner(walk, needs, { depth: 0, parent: {}, outer: [], lists: walk.lists, missing })
  if (missing.first !== undefined && missing.found === undefined) throw missing.first
  if (missing.count === 0) return
  needs.note?.(`For ${missing.count} of those that it is read for each of there is nothing (404); they are passed over`)
}

/** What is not there for some parents is an error only where it is there for none. */
interface Missing {
  first?: unknown
  found?: true
  count: number
}

interface Depth {
  readonly depth: number
  readonly parent: Scope
  /** Where it is in the lists around. */
  readonly outer: readonly ListPosition[]
  readonly lists: readonly ListPosition[]
  readonly missing: Missing
}

async function* inner(walk: Walk, needs: WalkNeeds, at: Depth): AsyncGenerator<WalkedPage> {
  const { depth, parent, outer, lists, missing } = at
  const link = walk.chain[depth]
  if (link === undefined) return
  const isTarget = depth === walk.chain.length - 1
  const scope = { ...needs.scope, ...(depth > 0 && { parent }) }
  const parentHash = isTarget && depth > 0 ? hashOf(parent) : undefined
  const isStranger = parentHash !== undefined && walk.strangers?.isKnown(parentHash) === false
  const sinceOfTarget = isStranger ? walk.strangers?.since : walk.since
  const since = isTarget ? sinceOfTarget : 'stream' in link ? startOf(link.stream.cursor, scope) : undefined
  const list =
    'values' in link
      ? valuePage(link.values, lists[0])
      : listPages(
          link.stream,
          { since, endMs: walk.endMs, at: lists[0] },
          // The next page of parents may be wanted only after a long time, when what led to it has expired.
          { ...needs, scope, isAhead: isTarget && needs.isAhead === true }
        )
  let goesOn = lists.length > 1
  try {
    for await (const page of list) {
      if (isTarget && page.records.length > 0) missing.found = true
      if (isTarget) {
        yield {
          ...page,
          parent,
          parentHash,
          isStranger,
          at: (done) => positionAfter(page, done, outer)
        }
        continue
      }
      let begun = page.done
      if (goesOn) begun = resumedAt(link, page, parent, lists[0]?.parent)
      const isSame = goesOn && begun >= 0
      for (let index = isSame ? begun : page.done; index < page.records.length; index++) {
        const item = 'values' in link ? link.values[index] : page.records[index]
        const own = parentScope(link, item, parent)
        if (own === undefined) continue
        const here: ListPosition = { from: page.slice.from, page: page.page, done: index, parent: hashOf(own) }
        const rest = isSame && index === begun ? lists.slice(1) : []
        yield* inner(walk, needs, { depth: depth + 1, parent: own, outer: [...outer, here], lists: rest, missing })
      }
      goesOn = false
    }
  } catch (error) {
    if (depth === 0 || !(error instanceof SourceError && error.code === 'not_found')) throw error
    missing.first ??= error
    missing.count += 1
  }
}

/** Where the parent is whose children were under way: on its place, or elsewhere on the page; -1 where it is gone. */
function resumedAt(link: Link, page: ListedPage, outer: Scope, hash: string | undefined): number {
  const isIt = (index: number) => {
    const item = 'values' in link ? link.values[index] : page.records[index]
    const own = item === undefined ? undefined : parentScope(link, item, outer)
    return own !== undefined && hashOf(own) === hash
  }
  return isIt(page.done) ? page.done : page.records.findIndex((_, index) => isIt(index))
}

function positionAfter(
  page: ListedPage,
  done: number,
  outer: readonly ListPosition[]
): readonly ListPosition[] | undefined {
  if (done < page.records.length) return [...outer, { from: page.slice.from, page: page.page, done }]
  if (page.next !== undefined) return [...outer, page.next]
  const parent = outer.at(-1)
  return parent && [...outer.slice(0, -1), { from: parent.from, page: parent.page, done: parent.done + 1 }]
}

async function* valuePage(values: readonly unknown[], at: ListPosition | undefined): AsyncGenerator<ListedPage> {
  const slice: Slice = { from: undefined, untilMs: 0, isLast: true }
  const records = values.map((value) => ({ value }))
  yield { records, done: at?.done ?? 0, slice, page: undefined, isFirst: true, next: undefined }
}

/** The pages of one list, slice by slice. */
async function* listPages(
  stream: StreamEntry,
  { since, endMs, at }: { since: Mark | undefined; endMs: number; at: ListPosition | undefined },
  needs: WalkNeeds
): AsyncGenerator<ListedPage> {
  let from = at?.from ?? since
  let [page, done] = [at?.page, at?.done ?? 0]
  for (;;) {
    const slice = sliceFrom(from, endMs, stream.cursor)
    const following = slice.isLast ? undefined : { from: { at: slice.untilMs, isTime: true }, done: 0 }
    for await (const read of slicePages(stream, slice, { page, done }, needs)) {
      const next = read.next === undefined ? following : { from, page: read.next, done: 0 }
      yield { ...read, slice, next }
    }
    if (following === undefined) return
    ;[from, page, done] = [following.from, undefined, 0]
  }
}

interface ReadPage extends Omit<ListedPage, 'slice' | 'next'> {
  readonly next: PageToken | undefined
}

async function* slicePages(
  stream: StreamEntry,
  slice: Slice,
  at: { readonly page: PageToken | undefined; readonly done: number },
  { caller, requests, scope, signal, isAhead }: WalkNeeds
): AsyncGenerator<ReadPage> {
  const { cursor, paging = { kind: 'none' } } = stream
  const known = cursor === undefined ? scope : { ...scope, ...sliceScope(slice, cursor) }
  const requestOf = (token: PageToken | undefined) => {
    const own = { ...known, ...pageScope(paging, token) }
    return pageRequest(sliceRequest(requests.of(stream, own), slice, cursor), paging, token)
  }
  let pages = new Pages(paging)
  /** What is in a page; undefined where it was to be gone on with and the service does not know it any more. */
  const readPage = async (token: PageToken | undefined, isResumed: boolean) => {
    const answer = await caller.call(requestOf(token), signal).catch((error) => {
      if (isResumed && isForgotten(error)) return undefined
      throw error
    })
    if (answer === undefined) return undefined
    const records = recordsIn(answer.body, stream.records)
    if (records.length === 0) refuseErrors(answer.body, caller)
    const missing = records.length === 0 ? missingIn(answer.body, stream.records) : undefined
    const next = pages.after({ answer, records, token })
    answer.body = undefined
    return { records: pages.isRepeated ? [] : records, missing, next, length: answer.length }
  }
  let token = at.page
  let { done } = at
  let isResumed = token !== undefined
  let ahead: ReturnType<typeof readPage> | undefined
  for (;;) {
    const read = await (ahead ?? readPage(token, isResumed))
    if (read === undefined) {
      // All of the slice is read again.
      ;[token, done, isResumed, pages] = [undefined, 0, false, new Pages(paging)]
      continue
    }
    isResumed = false
    const { records, next } = read
    ahead = isAhead && next !== undefined && read.length <= MAX_BESIDE ? readPage(next, false) : undefined
    // What went wrong is told when it is its turn.
    ahead?.catch(() => {})
    const { missing } = read
    yield { records, missing, next, done: Math.min(done, records.length), page: token, isFirst: token === undefined }
    // Most readers wait for their next page most of the time: meanwhile they hold nothing of this one.
    records.length = 0
    if (next === undefined) return
    ;[token, done] = [next, 0]
  }
}

const isForgotten = (error: unknown) =>
  error instanceof SourceError && (error.code === 'bad_request' || error.code === 'not_found')

/** GraphQL and others say with success that it was none. */
function refuseErrors(body: unknown, caller: Caller): void {
  const errors =
    typeof body === 'object' && body !== null && Object.hasOwn(body, 'errors') ? (body as JsonRecord).errors : undefined
  if (!Array.isArray(errors) || errors.length === 0) return
  throw new SourceError('bad_request', `It refused what was asked: ${caller.said({ errors }) ?? 'it does not say why'}`)
}
