import { type RawBuilder, sql } from 'kysely'
import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { NOTHING } from '../claims/statement.ts'
import { type JobName, lockKnownJobs } from '../claims/store.ts'
import type { DatedFacts } from '../nodes/facts.ts'

export async function deleteEdges(tx: Db, beforeMs: number, limit: number): Promise<number> {
  const key = sql`from_node, to_node, how, started_ms`
  return deleteSome(
    tx,
    sql`delete from lineage_edges where (${key}) in
      (select ${key} from lineage_edges where ended_ms < ${beforeMs} limit ${limit})`
  )
}

export async function deleteMappings(tx: Db, beforeMs: number, limit: number): Promise<number> {
  const key = sql`job, how, from_node, from_column, to_node, to_column, kind, started_ms`
  return deleteSome(
    tx,
    sql`delete from lineage_mappings where (${key}) in
      (select ${key} from lineage_mappings where ended_ms < ${beforeMs} limit ${limit})`
  )
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

type FindJobs = (tx: Db, after: JobName | undefined, limit: number) => Promise<JobName[]>

const isAfter = (after: JobName | undefined) =>
  after === undefined ? sql<boolean>`1 = 1` : sql<boolean>`(job, how) > (${after.job}, ${after.how})`

const jobsWhere =
  (condition: RawBuilder<boolean>): FindJobs =>
  (tx, after, limit) =>
    tx
      .selectFrom('lineage_jobs')
      .select(['job', 'how'])
      .where(condition)
      .where(isAfter(after))
      .orderBy('job')
      .orderBy('how')
      .limit(limit)
      .execute()

const allJobs: FindJobs = jobsWhere(sql<boolean>`1 = 1`)

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

/** Looks at some jobs, and deletes what none of their runs says any more; answers the last one. */
export async function deleteStatementsAfter(
  tx: Db,
  after: JobName | undefined,
  limit: number
): Promise<JobName | undefined> {
  const jobs = await allJobs(tx, after, limit)
  if (jobs.length === 0) return undefined
  const keys = [...new Set(jobs.map(({ job }) => job))]
  const named = [
    ...(await tx.selectFrom('lineage_runs').select(['job', 'statement']).distinct().where('job', 'in', keys).execute()),
    ...(await tx.selectFrom('lineage_jobs').select(['job', 'open as statement']).where('job', 'in', keys).execute())
  ]
  const known = new Set(named.map(({ job, statement }) => `${job} ${statement}`))
  const rows = await tx.selectFrom('lineage_statements').select(['job', 'hash']).where('job', 'in', keys).execute()
  const stale = rows.filter(({ job, hash }) => !known.has(`${job} ${hash}`))
  for (const job of new Set(stale.map((row) => row.job))) await deleteStatements(tx, job)
  return jobs.at(-1)
}

/** Whoever adds a statement has locked the job before. */
async function deleteStatements(tx: Db, job: string): Promise<void> {
  await lockKnownJobs(tx, { job })
  await sql`delete from lineage_statements where job = ${job}
    and hash not in (select statement from lineage_runs where job = ${job})
    and hash not in (select open from lineage_jobs where job = ${job})`.execute(tx)
}

export async function deleteJob(tx: Db, { job, how }: JobName): Promise<void> {
  await lockKnownJobs(tx, { job })
  for (const table of ['lineage_runs', 'lineage_bases', 'lineage_jobs'] as const) {
    await tx.deleteFrom(table).where('job', '=', job).where('how', '=', how).execute()
  }
  await deleteStatements(tx, job)
}

/** Looks at some nodes, and deletes those that nothing leads to and nobody has spoken of since; answers the last one. */
export async function deleteNodes(tx: Db, after: string, beforeMs: number, limit: number): Promise<string | undefined> {
  const nodes = await tx
    .selectFrom('lineage_nodes')
    .select(['key', 'facts'])
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()
  const old = nodes.filter(({ facts }) => isForgotten(facts, beforeMs)).map(({ key }) => key)
  if (old.length > 0) {
    // What follows from the names of nodes alone keeps none of them.
    const { rows } = await sql<{ key: string }>`delete from lineage_nodes where key in (${sql.join(old)})
      and not exists (select 1 from lineage_edges where from_node = lineage_nodes.key and type <> 'overlaps')
      and not exists (select 1 from lineage_edges where to_node = lineage_nodes.key and type <> 'overlaps')
      and not exists (select 1 from lineage_mappings where from_node = lineage_nodes.key)
      and not exists (select 1 from lineage_mappings where to_node = lineage_nodes.key)
      and not exists (select 1 from lineage_jobs where job = lineage_nodes.key) returning key`.execute(tx)
    await deleteOverlaps(
      tx,
      rows.map(({ key }) => key)
    )
  }
  return nodes.at(-1)?.key
}

async function deleteOverlaps(tx: Db, nodes: readonly string[]): Promise<void> {
  if (nodes.length === 0) return
  for (const end of ['from_node', 'to_node'] as const) {
    await tx.deleteFrom('lineage_edges').where(end, 'in', nodes).where('type', '=', 'overlaps').execute()
  }
}

/** What a person wrote of a node stays, and the node with it. */
function isForgotten(text: string, beforeMs: number): boolean {
  const facts = JSON.parse(text) as DatedFacts & { said?: unknown }
  return facts.said === undefined && Object.values(facts).every((fact) => (fact as [number, unknown])[0] < beforeMs)
}
