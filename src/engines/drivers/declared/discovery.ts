import { SourceError } from '../errors.ts'
import type { Discovered, Stream } from '../index.ts'
import type { Entry } from './entry.ts'
import { chainOf, parentNames } from './reading/chain.ts'
import { foundColumns, keysOf, toldColumns } from './reading/columns.ts'
import { startOf } from './reading/marks.ts'
import type { JsonRecord } from './reading/records.ts'
import { type WalkNeeds, walked } from './reading/walk.ts'
import { streamOf } from './requests.ts'
import type { Scope } from './template/template.ts'

/** Streams whose first page is read at the same time. */
const AT_ONCE = 6
/** Pages that are looked at for one with records. */
const MAX_PAGES = 5

/** How long one stream may take, and all of them together. */
const STREAM_LIMIT_MS = 8000
const LIMIT_MS = 20_000

type Needs = WalkNeeds & { readonly nowMs: number }

/** All streams of an entry. What columns they have is found in records, as far as there is time; else it is said why not. */
export async function discovered(
  entry: Entry,
  limit: number,
  needs: Needs,
  timeFor: (stream: string) => AbortSignal = () => AbortSignal.timeout(STREAM_LIMIT_MS)
): Promise<Discovered> {
  const names = Object.keys(entry.streams).slice(0, limit)
  const streams: Stream[] = []
  const time = AbortSignal.any([needs.signal, AbortSignal.timeout(LIMIT_MS)])
  let next = 0
  const look = async () => {
    for (let at = next++; at < names.length; at = next++) {
      const name = names[at] ?? ''
      streams[at] = await described(entry, name, { ...needs, signal: AbortSignal.any([time, timeFor(name)]) })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look))
  needs.signal.throwIfAborted()
  return { streams, isWhole: names.length === Object.keys(entry.streams).length }
}

async function described(entry: Entry, name: string, needs: Needs): Promise<Stream> {
  const stream = streamOf(entry, name)
  const about = {
    name,
    kind: 'table',
    keys: keysOf(stream),
    cursors: stream.cursor ? [stream.cursor.field] : []
  } as const
  const { unreadable } = stream
  if (unreadable !== undefined) {
    return { ...about, isReadable: false, columns: foundColumns([], stream, []), note: unreadable }
  }
  const parents = parentNames(chainOf(entry, name, needs.scope))
  const told = toldColumns(stream, parents)
  if (told !== undefined) return { ...about, isReadable: true, columns: told }
  const { records, parent, note } = await sampled(entry, name, needs)
  const columns = foundColumns(records, stream, parents, parent)
  return { ...about, isReadable: true, columns, ...(note !== undefined && { note }) }
}

interface Sampled {
  readonly records: readonly JsonRecord[]
  /** What these have from their parents. */
  readonly parent: Scope
  /** Why there are none. */
  readonly note?: string
}

/** Records of the first page that has some; none where it can't be read now. */
async function sampled(entry: Entry, name: string, needs: Needs): Promise<Sampled> {
  let pages = 0
  try {
    needs.signal.throwIfAborted()
    for await (const { records, parent } of firstPages(entry, name, needs)) {
      pages += 1
      if (records.length > 0) return { records, parent }
      if (pages >= MAX_PAGES) break
    }
    return { records: [], parent: {}, note: 'Its columns are not known: it has no records now' }
  } catch (error) {
    // What is wrong with one stream is no reason to leave out the others.
    return { records: [], parent: {}, note: `Its columns are not known: ${reasonOf(error)}` }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof SourceError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return 'it did not answer in the time that there was; discover again'
  }
  throw error
}

/** The pages of a stream, from the first on. */
export function firstPages(entry: Entry, name: string, needs: Needs) {
  const since = startOf(streamOf(entry, name).cursor, needs.scope)
  return walked({ chain: chainOf(entry, name, needs.scope), since, endMs: needs.nowMs, lists: [] }, needs)
}
