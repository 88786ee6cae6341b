import { setImmediate } from 'node:timers/promises'
import { TagAggregator } from '../../query/aggregate.ts'
import { tooManyPoints } from '../../query/answer/limit.ts'
import { planBuckets } from '../../query/buckets.ts'
import { haveMeaning } from '../../query/functions.ts'
import { unknownTag } from '../../query/pick-rows.ts'
import type { Query } from '../../query/plan.ts'
import { TagReader } from '../../query/read.ts'
import type { TagRows } from '../../query/rows.ts'
import { Edges } from './edges.ts'
import type { Snapshot } from './messages.ts'
import type { TagDays } from './tag-days.ts'

/** How long other queries wait for their turn at most. */
const TURN_MS = 8
/** How many tags and rows are passed on at once: each message costs as much as some tags. */
const TAGS_AT_ONCE = 64
const ROWS_AT_ONCE = 8192

/** Counts the points of a query without aggregation, so that an answer with too many is refused before it begins. */
export function refusePoints(query: Query, { tags }: Snapshot, days: TagDays): void {
  if (query.bucket !== undefined) return
  let points = 0
  for (const tag of tags) points += days.count(tag)
  if (points > query.limitPoints) throw tooManyPoints(points, query.limitPoints)
}

/**
 * The rows of each tag of a query, some tags at a time. Lets other queries have their turn; stops when `isCancelled`
 * says so.
 */
export async function* rowsOf(
  query: Query,
  { tags, cutoffNs }: Snapshot,
  days: TagDays,
  isCancelled: () => boolean
): AsyncGenerator<readonly TagRows[]> {
  const fromNs = cutoffNs !== undefined && cutoffNs > query.fromNs ? cutoffNs : query.fromNs
  const seen = { ...query, fromNs }
  const plan = query.bucket && planBuckets(query.bucket, query.timeZone, query.fromNs, query.toNs)
  const edges = Edges.of(seen, plan)
  let turnEndsMs = performance.now() + TURN_MS
  let batch: TagRows[] = []
  let rows = 0
  for (const tag of tags) {
    const { name, type } = tag
    if (type === undefined) {
      batch.push(unknownTag(name))
      continue
    }
    if (query.tags === undefined && plan !== undefined && !haveMeaning(type, query.functions)) continue
    const into = plan === undefined ? new TagReader(seen, name, type) : new TagAggregator(seen, plan, name, type)
    for (const segment of days.of(tag, edges)) {
      into.add(segment)
      if (performance.now() < turnEndsMs) continue
      await setImmediate()
      if (isCancelled()) return
      turnEndsMs = performance.now() + TURN_MS
    }
    const finished = into.finish()
    batch.push(finished)
    rows += finished.length
    if (batch.length < TAGS_AT_ONCE && rows < ROWS_AT_ONCE) continue
    yield batch
    batch = []
    rows = 0
  }
  if (batch.length > 0) yield batch
}
