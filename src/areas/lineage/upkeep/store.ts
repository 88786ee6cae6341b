import { type RawBuilder, sql } from 'kysely'
import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { labelledAmong } from '../../classification/index.ts'
import { NOTHING } from '../claims/statement.ts'
import { type JobName, lockKnownJobs } from '../claims/store.ts'
import type { NodeRow } from '../migrations.ts'
import { type DatedFacts, lastToldMs } from '../nodes/facts.ts'
import { markLeaving } from '../nodes/removal.ts'

/** What has ended, of which upkeep looks at some at a time: what ended after a time, up to another and with it. */
export interface Ended {
  readonly table: 'lineage_edges' | 'lineage_mappings'
  delete(tx: Db, afterMs: number, upToMs: number): Promise<void>
}

// What a job has written of labelled data inherits their levels for as long as it is there, and so does what was made of that.
const WROTE_CLASSIFIED = sql`exists (select 1 from lineage_edges as written
  join classification_inherited on classification_inherited.node = written.to_node
  where written.from_node = lineage_edges.job and lineage_edges.job <> '')`
const IS_CLASSIFIED = sql`exists (select 1 from classification_inherited where node = lineage_mappings.to_node)`

const ended = (table: Ended['table'], isKept: RawBuilder<unknown>): Ended => ({
  table,
  async delete(tx, afterMs, upToMs) {
    await sql`delete from ${sql.table(table)} where ended_ms > ${afterMs} and ended_ms <= ${upToMs}
      and not ${isKept}`.execute(tx)
  }
})

export const ENDED: readonly Ended[] = [
  ended('lineage_edges', WROTE_CLASSIFIED),
  ended('lineage_mappings', IS_CLASSIFIED)
]

/** When the nth ended of those that did so after a time and before another; undefined where there are fewer. */
export async function nthEnd(
  db: Db,
  table: Ended['table'],
  afterMs: number,
  beforeMs: number,
  n: number
): Promise<number | undefined> {
  const row = await db
    .selectFrom(table)
    .select('ended_ms')
    .where('ended_ms', '>', afterMs)
    .where('ended_ms', '<', beforeMs)
    .orderBy('ended_ms')
    .offset(n - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.ended_ms ?? undefined
}

export async function deleteLinks(tx: Db, beforeMs: number, limit: number): Promise<number> {
  return deleteSome(
    tx,
    sql`delete from lineage_links where id in
      (select id from lineage_links where ended_at < ${toIso(beforeMs)} limit ${limit})`
  )
}

async function deleteSome(tx: Db, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(tx)).numAffectedRows ?? 0)
}

/** Those of some jobs that something is to be done about. */
export type FindJobs = (db: Db, which: RawBuilder<boolean>) => Promise<JobName[]>

const isAfter = ({ job, how }: JobName) => sql<boolean>`(job, how) > (${job}, ${how})`
const isOne = ({ job, how }: JobName) => sql<boolean>`job = ${job} and how = ${how}`

/** The jobs after one, in the order of their keys, up to another and with it, or all of them. */
export function between(after: JobName, upTo: JobName | undefined): RawBuilder<boolean> {
  if (upTo === undefined) return isAfter(after)
  return sql<boolean>`${isAfter(after)} and (job, how) <= (${upTo.job}, ${upTo.how})`
}

/** Undefined where there are fewer. */
export async function nthJobAfter(db: Db, after: JobName, n: number): Promise<JobName | undefined> {
  return db
    .selectFrom('lineage_jobs')
    .select(['job', 'how'])
    .where(isAfter(after))
    .orderBy('job')
    .orderBy('how')
    .offset(n - 1)
    .limit(1)
    .executeTakeFirst()
}

const jobsWhere =
  (condition: RawBuilder<boolean>): FindJobs =>
  (db, which) =>
    db.selectFrom('lineage_jobs').select(['job', 'how']).where(which).where(condition).execute()

/** Those that may have more runs than are kept: `runs` counts also those that are gone. */
export const crowdedJobs = (maxRuns: number): FindJobs => jobsWhere(sql<boolean>`runs > ${maxRuns}`)

/** Those that have been doing nothing for so long that nothing is left of what they did. */
export const idleJobs = (beforeMs: number): FindJobs =>
  jobsWhere(
    sql<boolean>`newest_ms < ${beforeMs} and open = ${NOTHING.hash}
      and not exists (select 1 from lineage_edges where from_node = lineage_jobs.job)
      and not exists (select 1 from lineage_edges where to_node = lineage_jobs.job)
      and not exists (select 1 from lineage_mappings where lineage_mappings.job = lineage_jobs.job)`
  )

/** Those with old runs that are neither the newest nor the newest that was whole, nor newer than that. */
export const jobsWithOldRuns = (beforeMs: number): FindJobs =>
  jobsWhere(
    sql<boolean>`exists (select 1 from lineage_runs
      where lineage_runs.job = lineage_jobs.job and lineage_runs.how = lineage_jobs.how
        and start_ms < ${beforeMs} and start_ms < newest_ms
        and start_ms < coalesce(lineage_jobs.whole_ms, newest_ms))`
  )

const runs = (tx: Db, { job, how }: JobName) =>
  tx.selectFrom('lineage_runs').where('job', '=', job).where('how', '=', how)

/** The start of the nth newest run. */
export async function startOfNth(tx: Db, name: JobName, n: number): Promise<number | undefined> {
  const query = runs(tx, name).select('start_ms').orderBy('start_ms', 'desc').orderBy('id', 'desc')
  return (
    await query
      .offset(n - 1)
      .limit(1)
      .executeTakeFirst()
  )?.start_ms
}

/** The start of the oldest run before a time that something was told of lately; that time where there is none. */
export async function startOfLively(tx: Db, name: JobName, startMs: number, sinceMs: number): Promise<number> {
  const row = await runs(tx, name)
    .select('start_ms')
    .where('start_ms', '<', startMs)
    .where(({ or, eb }) => or([eb('state_ms', '>=', sinceMs), eb('whole_ms', '>=', sinceMs)]))
    .orderBy('start_ms')
    .limit(1)
    .executeTakeFirst()
  return row?.start_ms ?? startMs
}

/** Those with statements that none of their runs makes any more. */
export const jobsWithStaleStatements: FindJobs = jobsWhere(
  sql<boolean>`exists (select 1 from lineage_statements where lineage_statements.job = lineage_jobs.job and ${isStale()})`
)

/** Whoever adds a statement has locked the job before. */
export async function deleteStatements(tx: Db, job: string): Promise<void> {
  await lockKnownJobs(tx, { job })
  await sql`delete from lineage_statements where job = ${job} and ${isStale()}`.execute(tx)
}

function isStale(): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from lineage_runs as run
      where run.job = lineage_statements.job and run.statement = lineage_statements.hash)
    and not exists (select 1 from lineage_jobs as known
      where known.job = lineage_statements.job and known.open = lineage_statements.hash)`
}

/** Unless something was told of it since it was found. */
export async function deleteIdleJob(tx: Db, name: JobName, beforeMs: number): Promise<void> {
  const { job, how } = name
  await lockKnownJobs(tx, { job })
  if ((await idleJobs(beforeMs)(tx, isOne(name))).length === 0) return
  for (const table of ['lineage_runs', 'lineage_bases', 'lineage_jobs'] as const) {
    await tx.deleteFrom(table).where('job', '=', job).where('how', '=', how).execute()
  }
  await deleteStatements(tx, job)
}

type KnownNode = Pick<NodeRow, 'key' | 'reference' | 'facts'>

/** Of the next nodes in the order of their keys: those that nothing leads to and nobody has spoken of since, and the last of all. */
export async function forgottenNodes(
  db: Db,
  after: string,
  beforeMs: number,
  limit: number
): Promise<{ last: string | undefined; forgotten: string[] }> {
  const nodes = await db
    .selectFrom('lineage_nodes')
    .select(['key', 'reference', 'facts'])
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()
  return { last: nodes.at(-1)?.key, forgotten: await forgottenAmong(db, nodes, beforeMs) }
}

async function forgottenAmong(db: Db, nodes: readonly KnownNode[], beforeMs: number): Promise<string[]> {
  const silent = nodes.filter(({ facts }) => isForgotten(facts, beforeMs))
  if (silent.length === 0) return []
  const keys = sql.join(silent.map(({ key }) => key))
  // What follows from the names of nodes alone keeps none of them.
  const { rows } = await sql<KnownNode>`select key, reference, facts from lineage_nodes where key in (${keys})
    and not exists (select 1 from lineage_edges where from_node = lineage_nodes.key and type <> 'overlaps')
    and not exists (select 1 from lineage_edges where to_node = lineage_nodes.key and type <> 'overlaps')
    and not exists (select 1 from lineage_mappings where from_node = lineage_nodes.key)
    and not exists (select 1 from lineage_mappings where to_node = lineage_nodes.key)
    and not exists (select 1 from lineage_jobs where job = lineage_nodes.key)`.execute(db)
  const labelled = await labelledAmong(
    db,
    rows.map(({ reference }) => reference)
  )
  return rows.filter(({ reference }) => !labelled.has(reference)).map(({ key }) => key)
}

/** Deletes those of some nodes that are still forgotten. */
export async function deleteForgotten(tx: Db, keys: readonly string[], beforeMs: number): Promise<void> {
  if (keys.length === 0) return
  const nodes = await tx
    .selectFrom('lineage_nodes')
    .select(['key', 'reference', 'facts'])
    .where('key', 'in', keys)
    .orderBy('key')
    .forUpdate() // whoever tells of one waits until it is known whether it is gone
    .execute()
  const gone = await forgottenAmong(tx, nodes, beforeMs)
  if (gone.length === 0) return
  await tx.deleteFrom('lineage_nodes').where('key', 'in', gone).execute()
  await markLeaving(tx, gone)
  await deleteOverlaps(tx, gone)
}

async function deleteOverlaps(tx: Db, nodes: readonly string[]): Promise<void> {
  for (const end of ['from_node', 'to_node'] as const) {
    await tx.deleteFrom('lineage_edges').where(end, 'in', nodes).where('type', '=', 'overlaps').execute()
  }
}

/** What a person wrote of a node stays, and the node with it. */
function isForgotten(text: string, beforeMs: number): boolean {
  const facts = JSON.parse(text) as DatedFacts
  return facts.said === undefined && lastToldMs(facts) < beforeMs
}
