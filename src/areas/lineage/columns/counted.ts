import { sql } from 'kysely'
import type { Db } from '../../../engines/metadata/index.ts'
import type { EdgeRow, EdgeType } from '../migrations.ts'

/**
 * What counts of edges and columns where values are followed: all that jobs have ever told, because what a job has written is
 * there after it writes something else or is gone; of names and of what people have drawn, what holds now.
 */
export const COUNTS = sql<boolean>`(job <> '' or +ended_ms is null)`

const NAMES = ['same', 'renamed', 'overlaps'] as const
export const isName = (type: string): type is (typeof NAMES)[number] => (NAMES as readonly string[]).includes(type)

/** A time in which an edge held. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly type: EdgeType
  readonly how: EdgeRow['how']
  readonly startedMs: number
  readonly endedMs: number | null
  /** The start of the last whole run before the one that ended it; null while it holds. */
  readonly seenMs: number | null
}

/** Whether there was a time at which both held. */
export const areTogether = (a: Period, b: Period): boolean =>
  a.startedMs < (b.endedMs ?? Number.POSITIVE_INFINITY) && b.startedMs < (a.endedMs ?? Number.POSITIVE_INFINITY)

export const edgesInto = (db: Db, nodes: readonly string[]): Promise<Period[]> =>
  periods(db).where('to_node', 'in', nodes).execute()

export const edgesFrom = (db: Db, nodes: readonly string[]): Promise<Period[]> =>
  periods(db).where('from_node', 'in', nodes).execute()

const periods = (db: Db) =>
  db
    .selectFrom('lineage_edges')
    .select([
      'from_node as from',
      'to_node as to',
      'type',
      'how',
      'started_ms as startedMs',
      'ended_ms as endedMs',
      'seen_ms as seenMs'
    ])
    .where(COUNTS)
