import type { HttpApi } from '../common/http-api.ts'
import { jsonText } from '../common/values.ts'
import { SourceError } from '../errors.ts'
import type { StreamColumn, StreamRead } from '../index.ts'
import { searchOf, sortOf } from './query.ts'

/** How long a search is kept between two of its pages. */
const KEPT = '5m'
const FIRST_SIZE = 500
const MAX_SIZE = 10_000
const PAGE_BYTES = 2 << 20

export interface Hit {
  readonly _id: string
  readonly _source?: Readonly<Record<string, unknown>>
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
  readonly sort?: readonly unknown[]
}

export interface Walk {
  readonly api: HttpApi
  readonly index: string
  readonly columns: readonly StreamColumn[]
  readonly request: StreamRead
}

interface Found {
  readonly pit_id?: string
  readonly _scroll_id?: string
  readonly timed_out?: boolean
  readonly _shards?: { readonly failed?: number }
  readonly hits?: { readonly hits?: readonly Hit[] }
}

/** Elasticsearch: pages of a point in time, each after the last hit of the one before. */
export async function* walkPointInTime({ api, index, columns, request }: Walk): AsyncGenerator<readonly Hit[]> {
  const { cursor, limit = MAX_SIZE, signal } = request
  const opened = await api.call({ method: 'POST', path: `/${index}/_pit?keep_alive=${KEPT}`, signal })
  let { id } = opened.body as { id: string }
  // Every search of a point in time has `_shard_doc` as the last of its order, which tells hits apart that are else equal.
  const search = { ...searchOf(columns, cursor), sort: sortOf(columns, cursor, '_shard_doc') }
  let size = Math.min(FIRST_SIZE, limit)
  let after: readonly unknown[] | undefined
  try {
    for (;;) {
      const body = { ...search, size, pit: { id, keep_alive: KEPT }, ...(after && { search_after: after }) }
      const answer = await api.call({
        method: 'POST',
        path: '/_search',
        body: jsonOf(body),
        headers: JSON_TYPE,
        signal
      })
      id = (answer.body as Found).pit_id ?? id
      const hits = hitsOf(answer.body as Found)
      if (hits.length === 0) return
      yield hits
      if (hits.length < size) return
      after = hits.at(-1)?.sort
      size = Math.floor(Math.max(1, Math.min(MAX_SIZE, (PAGE_BYTES * hits.length) / (answer.bytes + 1))))
    }
  } finally {
    await quietly(() => api.call({ method: 'DELETE', path: '/_pit', body: { id }, signal: AbortSignal.timeout(2000) }))
  }
}

/** OpenSearch: its points in time have nothing that tells equal hits apart, a scroll needs nothing. */
export async function* walkScroll({ api, index, columns, request }: Walk): AsyncGenerator<readonly Hit[]> {
  const { cursor, limit = MAX_SIZE, signal } = request
  const size = Math.min(FIRST_SIZE, limit)
  const first = { ...searchOf(columns, cursor), sort: sortOf(columns, cursor, '_doc'), size }
  const path = `/${index}/_search?scroll=${KEPT}`
  let answer = await api.call({ method: 'POST', path, body: jsonOf(first), headers: JSON_TYPE, signal })
  let id: string | undefined
  try {
    for (;;) {
      id = (answer.body as Found)._scroll_id ?? id
      const hits = hitsOf(answer.body as Found)
      if (hits.length === 0) return
      yield hits
      if (hits.length < size) return
      answer = await api.call({
        method: 'POST',
        path: '/_search/scroll',
        body: { scroll: KEPT, scroll_id: id },
        signal
      })
    }
  } finally {
    const body = { scroll_id: id }
    await quietly(() =>
      api.call({ method: 'DELETE', path: '/_search/scroll', body, signal: AbortSignal.timeout(2000) })
    )
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Sort values of 64 bits are sent back as they came. */
const jsonOf = (body: unknown): string => jsonText(body) ?? ''

/** What a part of the index did not answer would be missing without a word. */
function hitsOf({ timed_out, _shards, hits }: Found): readonly Hit[] {
  if (timed_out === true || (_shards?.failed ?? 0) > 0) {
    throw new SourceError('unavailable', 'A part of the index did not answer; see its health, and try again')
  }
  return hits?.hits ?? []
}

/** What is not ended here ends by itself. */
async function quietly(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => {})
}
