import { BoundedMap } from '../../../engines/bounded-map.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import {
  inserts,
  prepareDeletes,
  prepareInserts,
  prepareLookups,
  prepareSaves,
  prepareTogether,
  saves
} from '../../../engines/prepare-rows.ts'
import type { BaseRow, EdgeRow, JobRow, MappingRow, RunRow, StatementRow } from '../migrations.ts'
import { readStatement, type Statement, writeStatement } from './statement.ts'

const JOB_COLUMNS = [
  'job',
  'how',
  'who',
  'newest_run',
  'newest_ms',
  'runs',
  'whole_runs',
  'whole_ms',
  'open',
  'closed_ms',
  'base_ms'
] as const satisfies (keyof JobRow)[]
const RUN_COLUMNS = [
  'job',
  'how',
  'id',
  'start_ms',
  'whole_ms',
  'state',
  'state_ms',
  'error',
  'statement',
  'parent_job',
  'parent_run'
] as const satisfies (keyof RunRow)[]
const PERIOD_COLUMNS = ['started_ms', 'ended_ms', 'seen_ms', 'runs', 'who'] as const satisfies (keyof EdgeRow)[]
const EDGE_COLUMNS = [
  'from_node',
  'to_node',
  'how',
  'job',
  'type',
  ...PERIOD_COLUMNS
] as const satisfies (keyof EdgeRow)[]
const MAPPING_COLUMNS = [
  'job',
  'how',
  'from_node',
  'from_column',
  'to_node',
  'to_column',
  'kind',
  ...PERIOD_COLUMNS
] as const satisfies (keyof MappingRow)[]

export type JobName = Pick<JobRow, 'job' | 'how'>
export const jobName = ({ job, how }: JobName): string => `${job} ${how}`

/** The rows of jobs, made where there are none, and locked until the end of the transaction. */
export async function lockJobs(tx: Db, fresh: readonly JobRow[]): Promise<JobRow[]> {
  // In one order everywhere, so that no two transactions wait for each other.
  const ordered = fresh.toSorted((a, b) => (jobName(a) < jobName(b) ? -1 : 1))
  const found = await findLocked(tx, ordered)
  if (found.length === ordered.length) return found
  const known = new Set(found.map(jobName))
  const missing = ordered.filter((row) => !known.has(jobName(row)))
  await insertJobs(tx, missing)
  return [...found, ...(await findLocked(tx, missing))]
}

const insertJobs = prepareInserts('lineage_jobs', JOB_COLUMNS, { skipsKnown: true })

const findLocked = prepareLookups<JobName, JobRow>('lineage_jobs', ['job', 'how'], (tx, isGiven) =>
  tx.selectFrom('lineage_jobs').selectAll().where(isGiven).forUpdate()
)

/** The rows of jobs that there are. */
export const findJobs = prepareLookups<JobName, JobRow>('lineage_jobs', ['job', 'how'], (db, isGiven) =>
  db.selectFrom('lineage_jobs').selectAll().where(isGiven)
)

/** What follows from runs of jobs that are no longer kept, but not which facts. */
export const findBases = prepareLookups<JobName, Omit<BaseRow, 'whole_ms' | 'facts'>>(
  'lineage_bases',
  ['job', 'how'],
  (db, isGiven) => db.selectFrom('lineage_bases').select(['job', 'how', 'runs', 'whole_runs']).where(isGiven)
)

/** The rows of a job that there are, locked; those of all kinds of telling where none is named. */
export function lockKnownJobs(tx: Db, { job, how }: { job: string; how?: JobRow['how'] }): Promise<JobRow[]> {
  let query = tx.selectFrom('lineage_jobs').selectAll().where('job', '=', job)
  if (how !== undefined) query = query.where('how', '=', how)
  return query.orderBy('job').orderBy('how').forUpdate().execute()
}

export const saveJobs = prepareSaves('lineage_jobs', ['job', 'how'], JOB_COLUMNS)

export const findRuns = prepareLookups<Pick<RunRow, 'job' | 'how' | 'id'>, RunRow>(
  'lineage_runs',
  ['job', 'how', 'id'],
  (tx, isGiven) => tx.selectFrom('lineage_runs').selectAll().where(isGiven)
)

/** All runs of these jobs that are kept; upkeep sees to it that there are not many of each. */
export const runsOf = prepareLookups<JobName, RunRow>('lineage_runs', ['job', 'how'], (tx, isGiven) =>
  tx.selectFrom('lineage_runs').selectAll().where(isGiven)
)

export async function deleteRuns(tx: Db, { job, how }: JobName, beforeMs: number): Promise<void> {
  await tx
    .deleteFrom('lineage_runs')
    .where('job', '=', job)
    .where('how', '=', how)
    .where('start_ms', '<', beforeMs)
    .execute()
}

/** Facts that are remembered: a statement is never changed. */
const MAX_REMEMBERED_FACTS = 200_000

/** The statements of jobs, by their hashes. */
export class Statements {
  readonly #known = new BoundedMap<string, Statement>(1000)
  #facts = 0

  async find(tx: Db, wanted: readonly { job: string; hash: string }[]): Promise<Map<string, Statement>> {
    const found = new Map<string, Statement>()
    const missing: { job: string; hash: string }[] = []
    for (const one of wanted) {
      const known = this.#known.get(one.hash)
      if (known === undefined) missing.push(one)
      else found.set(one.hash, known)
    }
    for (const { hash, facts } of await findStatements(tx, missing)) {
      found.set(hash, this.#remember(readStatement(hash, facts)))
    }
    return found
  }

  #remember(statement: Statement): Statement {
    this.#facts += statement.facts.size
    if (this.#facts > MAX_REMEMBERED_FACTS) {
      this.#known.clear()
      this.#facts = statement.facts.size
    }
    this.#known.set(statement.hash, statement)
    return statement
  }
}

export const findStatements = prepareLookups<Pick<StatementRow, 'job' | 'hash'>, StatementRow>(
  'lineage_statements',
  ['job', 'hash'],
  (db, isGiven) => db.selectFrom('lineage_statements').selectAll().where(isGiven)
)

/** What one job says. */
export interface JobStatement {
  readonly job: string
  readonly statement: Statement
}

const STATEMENTS = inserts('lineage_statements', ['job', 'hash', 'facts'], { skipsKnown: true })
const insertStatements = prepareTogether([STATEMENTS])

const statementRow = ({ job, statement }: JobStatement): StatementRow => ({
  job,
  hash: statement.hash,
  facts: writeStatement(statement)
})

export const saveStatements = (tx: Db, some: readonly JobStatement[]): Promise<void> =>
  insertStatements(tx, [some.map(statementRow)])

const saveAll = prepareTogether([
  STATEMENTS,
  saves('lineage_runs', ['job', 'how', 'id'], RUN_COLUMNS),
  saves('lineage_jobs', ['job', 'how'], JOB_COLUMNS)
])

/** Writes what was told: statements, those that there are not yet, runs and jobs. */
export const saveTold = (
  tx: Db,
  told: { statements: readonly JobStatement[]; runs: readonly RunRow[]; jobs: readonly JobRow[] }
): Promise<void> => saveAll(tx, [told.statements.map(statementRow), told.runs, told.jobs])

const EDGE_KEY = ['from_node', 'to_node', 'how', 'started_ms'] as const satisfies (keyof EdgeRow)[]
const MAPPING_KEY = [
  'job',
  'how',
  'from_node',
  'from_column',
  'to_node',
  'to_column',
  'kind',
  'started_ms'
] as const satisfies (keyof MappingRow)[]

export const insertEdges = prepareInserts('lineage_edges', EDGE_COLUMNS)
export const insertMappings = prepareInserts('lineage_mappings', MAPPING_COLUMNS)
export const saveEdges = prepareSaves('lineage_edges', EDGE_KEY, EDGE_COLUMNS)
export const saveMappings = prepareSaves('lineage_mappings', MAPPING_KEY, MAPPING_COLUMNS)

const edgesFrom = prepareLookups<{ from_node: string; how: EdgeRow['how'] }, EdgeRow>(
  'lineage_edges',
  ['from_node', 'how'],
  (tx, isGiven) => tx.selectFrom('lineage_edges').selectAll().where(isGiven)
)
const edgesTo = prepareLookups<{ to_node: string; how: EdgeRow['how'] }, EdgeRow>(
  'lineage_edges',
  ['to_node', 'how'],
  (tx, isGiven) => tx.selectFrom('lineage_edges').selectAll().where(isGiven)
)

export async function edgesOf(tx: Db, jobs: readonly JobName[]): Promise<EdgeRow[]> {
  const from = await edgesFrom(
    tx,
    jobs.map(({ job, how }) => ({ from_node: job, how }))
  )
  const to = await edgesTo(
    tx,
    jobs.map(({ job, how }) => ({ to_node: job, how }))
  )
  const names = new Set(jobs.map(jobName))
  return [...from, ...to].filter((row) => names.has(jobName(row)))
}

export const mappingsOf = prepareLookups<JobName, MappingRow>('lineage_mappings', ['job', 'how'], (tx, isGiven) =>
  tx.selectFrom('lineage_mappings').selectAll().where(isGiven)
)

/** Edges that last, by their ends. */
export const lastingEdges = prepareLookups<Pick<EdgeRow, 'from_node' | 'to_node' | 'how'>, EdgeRow>(
  'lineage_edges',
  ['from_node', 'to_node', 'how'],
  (tx, isGiven) => tx.selectFrom('lineage_edges').selectAll().where(isGiven).where('ended_ms', 'is', null)
)

export const lastingMappings = prepareLookups<Omit<MappingRow, 'started_ms'>, MappingRow>(
  'lineage_mappings',
  ['job', 'how', 'from_node', 'from_column', 'to_node', 'to_column', 'kind'],
  (tx, isGiven) => tx.selectFrom('lineage_mappings').selectAll().where(isGiven).where('ended_ms', 'is', null)
)

export const deleteEdges = prepareDeletes('lineage_edges', EDGE_KEY, { integer: 'started_ms' })
export const deleteMappings = prepareDeletes('lineage_mappings', MAPPING_KEY, { integer: 'started_ms' })
