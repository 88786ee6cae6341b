import { sql } from 'kysely'
import { type Db, type Metadata, slices } from '../../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import { jobName } from '../claims/store.ts'
import { heldAt, isOneOf } from '../graph/edge-reader.ts'
import type { JobRow, NodeRow, RunRow } from '../migrations.ts'
import type { NodeQuery, RunQuery } from './schema.ts'

export function listNodes(db: Db, query: NodeQuery) {
  let select = db.selectFrom('lineage_nodes').selectAll()
  const { q, kind } = query
  if (q !== undefined) select = select.where((either) => either.or([contains('reference', q), contains('name', q)]))
  if (kind !== undefined) select = select.where('kind', '=', kind)
  return fetchPage(select, query, { sorts: { reference: 'reference', name: 'name' }, id: 'reference' })
}

export const findNode = (db: Db, key: string): Promise<NodeRow | undefined> =>
  db.selectFrom('lineage_nodes').selectAll().where('key', '=', key).executeTakeFirst()

export const lockNode = (tx: Db, key: string): Promise<NodeRow | undefined> =>
  tx.selectFrom('lineage_nodes').selectAll().where('key', '=', key).forUpdate().executeTakeFirst()

/** Two kinds of telling may know a run by the same name, so that the name alone is no place in a list. */
export function listRuns(db: Db, job: string, query: RunQuery) {
  const runs = db
    .selectFrom('lineage_runs')
    .selectAll()
    .select(sql<string>`id || ' ' || how`.as('place'))
    .where('job', '=', job)
    .as('runs')
  return fetchPage(db.selectFrom(runs).selectAll(), query, {
    sorts: { startedAt: 'start_ms' },
    id: 'place',
    integers: ['start_ms'],
    defaultSort: '-startedAt'
  })
}

/** A run, as far as it is shown with its job. */
export type ShownRun = Pick<RunRow, 'id' | 'state' | 'state_ms' | 'error' | 'start_ms'>

/** The newest run of each job that has one, by the keys of the jobs. */
export async function newestRuns(reader: Reader, jobs: readonly string[]): Promise<Map<string, ShownRun>> {
  return (await jobsWithRuns(reader, jobs)).runs
}

type JobAndRun = Pick<JobRow, 'job' | 'how' | 'who' | 'whole_runs' | 'whole_ms'> & {
  readonly [K in keyof ShownRun]: ShownRun[K] | null
}

/** What is known of jobs, by their names, and the newest run of each that has one, by their keys. */
export async function jobsWithRuns(
  reader: Reader,
  keys: readonly string[]
): Promise<{ jobs: Map<string, JobAndRun>; runs: Map<string, ShownRun> }> {
  const jobs = new Map<string, JobAndRun>()
  const runs = new Map<string, ShownRun>()
  for (const some of slices(keys, 1000)) {
    const { rows } = await sql<JobAndRun>`
      select lineage_jobs.job, lineage_jobs.how, who, whole_runs, lineage_jobs.whole_ms, id, state, state_ms, error, start_ms
      from lineage_jobs
      left join lineage_runs on lineage_runs.job = lineage_jobs.job and lineage_runs.how = lineage_jobs.how
        and lineage_runs.id = lineage_jobs.newest_run
      where ${isOneOf(reader, sql.ref('lineage_jobs.job'), some)}`.execute(reader.db)
    for (const row of rows) {
      jobs.set(jobName(row), row)
      const known = runs.get(row.job)
      if (isWithRun(row) && (known === undefined || row.start_ms > known.start_ms)) runs.set(row.job, row)
    }
  }
  return { jobs, runs }
}

const isWithRun = (row: JobAndRun): row is JobAndRun & ShownRun => row.id !== null

/** What reads outside a transaction, or in one. */
export type Reader = Pick<Metadata, 'dialect' | 'db'>

export interface Sight {
  readonly firstMs: number | null
  readonly lastMs: number | null
  readonly edgesIn: number
  readonly edgesOut: number
  readonly runs: number
}

/** When a node was first and last seen, and how many edges it has at a time. */
export async function sightOf({ db }: Reader, key: string, atMs: number): Promise<Sight> {
  const incoming = await edgeSight(db, sql.ref('to_node'), key, atMs)
  const outgoing = await edgeSight(db, sql.ref('from_node'), key, atMs)
  const { rows } = await sql<{ runs: number | null; last: number | null; first: number | null }>`
    select (select sum(runs) from lineage_jobs where job = ${key}) as runs,
      (select max(newest_ms) from lineage_jobs where job = ${key} and newest_run <> '') as last,
      (select min(start_ms) from lineage_runs where job = ${key}) as first`.execute(db)
  const [ran] = rows
  const times = (all: readonly (number | null | undefined)[]) => all.filter((one) => one != null).map(Number)
  const first = times([incoming.first, outgoing.first, ran?.first])
  const last = times([incoming.last, outgoing.last, ran?.last])
  return {
    firstMs: first.length === 0 ? null : Math.min(...first),
    lastMs: last.length === 0 ? null : Math.max(...last),
    edgesIn: Number(incoming.edges),
    edgesOut: Number(outgoing.edges),
    runs: Number(ran?.runs ?? 0)
  }
}

async function edgeSight(db: Db, near: ReturnType<typeof sql.ref>, key: string, atMs: number) {
  const { rows } = await sql<{ first: number | null; last: number | null; edges: number }>`
    select min(started_ms) as first,
      max(coalesce(seen_ms, case when coalesce(whole_ms, 0) > started_ms then whole_ms else started_ms end)) as last,
      count(distinct case when ${heldAt(atMs)} then from_node || ' ' || to_node end) as edges
    from lineage_edges
    left join lineage_jobs on lineage_jobs.job = lineage_edges.job and lineage_jobs.how = lineage_edges.how
    where ${near} = ${key}`.execute(db)
  return rows[0] ?? { first: null, last: null, edges: 0 }
}
