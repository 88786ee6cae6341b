import type { Discovered, Stream, StreamColumn } from '../index.ts'
import type { Entry } from './entry.ts'
import { chainOf, parentNames } from './reading/chain.ts'
import { foundColumns, keysOf, toldColumns } from './reading/columns.ts'
import { startOf } from './reading/marks.ts'
import type { JsonRecord } from './reading/records.ts'
import { type WalkNeeds, walked } from './reading/walk.ts'
import { streamOf } from './requests.ts'

/** Streams whose first page is read at the same time, and how long all may take. */
const AT_ONCE = 4
const LIMIT_MS = 20_000
/** Pages that are looked at for one with records. */
const MAX_PAGES = 5

/** All streams of an entry. What columns they have is found in records, as far as there is time. */
export async function discovered(
  entry: Entry,
  limit: number,
  needs: WalkNeeds & { readonly nowMs: number }
): Promise<Discovered> {
  const names = Object.keys(entry.streams).slice(0, limit)
  const streams: Stream[] = []
  const time = AbortSignal.any([needs.signal, AbortSignal.timeout(LIMIT_MS)])
  let next = 0
  const look = async () => {
    for (let at = next++; at < names.length; at = next++) {
      streams[at] = await described(entry, names[at] ?? '', { ...needs, signal: time })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look))
  needs.signal.throwIfAborted()
  return { streams, isWhole: names.length === Object.keys(entry.streams).length }
}

async function described(entry: Entry, name: string, needs: WalkNeeds & { readonly nowMs: number }): Promise<Stream> {
  const stream = streamOf(entry, name)
  const about = {
    name,
    kind: 'table',
    keys: keysOf(stream),
    cursors: stream.cursor ? [stream.cursor.field] : []
  } as const
  if (stream.unreadable !== undefined) return { ...about, isReadable: false, columns: foundColumns([], stream, []) }
  const parents = parentNames(chainOf(entry, name, needs.scope))
  const columns: StreamColumn[] =
    toldColumns(stream, parents) ?? foundColumns(await sampled(entry, name, needs), stream, parents)
  return { ...about, isReadable: true, columns }
}

/** Records of the first page that has some; none where it can't be read now. */
async function sampled(
  entry: Entry,
  name: string,
  needs: WalkNeeds & { readonly nowMs: number }
): Promise<readonly JsonRecord[]> {
  let pages = 0
  try {
    needs.signal.throwIfAborted()
    for await (const { records } of firstPages(entry, name, needs)) {
      pages += 1
      if (records.length > 0 || pages >= MAX_PAGES) return records
    }
  } catch {
    // What is wrong with one stream is said when it is read; the others are there all the same.
  }
  return []
}

/** The pages of a stream, from the first on. */
export function firstPages(entry: Entry, name: string, needs: WalkNeeds & { readonly nowMs: number }) {
  const since = startOf(streamOf(entry, name).cursor, needs.scope)
  return walked({ chain: chainOf(entry, name, needs.scope), since, endMs: needs.nowMs, lists: [] }, needs)
}
