import { type ExpressionWrapper, expressionBuilder, type SqlBool, sql } from 'kysely'
import { type Db, prepare, type Tables } from '../../../engines/metadata/index.ts'
import { prepareFinds, prepareInserts, prepareRows, prepareUpdates, rowsOf } from '../../../engines/prepare-rows.ts'
import { fetchPage } from '../../../http/paging.ts'
import { OPEN_STATES, type RunRow, type RunState } from '../migrations.ts'
import type { RunQuery } from './schema.ts'

/** Written into the statement, so that a plan may use the index of what is open. */
export const OPEN = OPEN_STATES.map((state) => sql.lit(state))

const COLUMNS = [
  'id',
  'schedule_id',
  'due_at',
  'kind',
  'caught_up',
  'backfill_id',
  'state',
  'code',
  'reason',
  'attempts',
  'next_attempt_at',
  'job_id',
  'link',
  'cancel',
  'timeout_at',
  'started_at',
  'finished_at',
  'logs',
  'count',
  'due_until',
  'asked_by',
  'created_at'
] as const satisfies readonly (keyof RunRow)[]

/** Adds runs; a due time that has a row already keeps it. */
export const insertRuns: (tx: Db, rows: readonly RunRow[]) => Promise<unknown> = prepareInserts(
  'schedule_runs',
  COLUMNS,
  { skipsKnown: true }
)

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('schedule_runs').selectAll().where('id', '=', id))

export const findRun = async (db: Db, id: string): Promise<RunRow | undefined> => (await byId(db, { id }))[0]

const locked = prepare((db, { id }: { id: string }) =>
  db.selectFrom('schedule_runs').selectAll().where('id', '=', id).forUpdate()
)

export const lockRun = async (tx: Db, id: string): Promise<RunRow | undefined> => (await locked(tx, { id }))[0]

export const findRuns = prepareFinds<RunRow>('schedule_runs')

export const lockRuns = prepareFinds<RunRow>('schedule_runs', { locks: true })

export const updateRun = (tx: Db, id: string, change: Partial<RunRow>) =>
  tx.updateTable('schedule_runs').set(change).where('id', '=', id).execute()

/** Writes down what attempts at runs have come to. */
export const writeAttempts: (tx: Db, runs: readonly RunRow[]) => Promise<unknown> = prepareUpdates('schedule_runs', {
  state: 'text',
  code: 'text',
  reason: 'text',
  attempts: 'integer',
  next_attempt_at: 'text',
  job_id: 'text',
  link: 'text',
  timeout_at: 'text',
  started_at: 'text',
  finished_at: 'text',
  logs: 'text'
})

/** A run with the state of its job, which knows whether somebody has it in hand. */
export interface RunInHand extends RunRow {
  job_state: string | null
  job_started_at: string | null
  schedule_name: string
  target_type: string
}

/** While a job has a run in hand, it is running; the lease of the job proves it. */
const shownState = sql<RunState>`case when schedule_runs.state = 'queued' and jobs.state = 'running' then 'running' else schedule_runs.state end`

const withJobs = (db: Db) =>
  db
    .selectFrom('schedule_runs')
    .innerJoin('schedules', 'schedules.id', 'schedule_runs.schedule_id')
    .leftJoin('jobs', 'jobs.id', 'schedule_runs.job_id')
    .selectAll('schedule_runs')
    .select([
      'schedules.name as schedule_name',
      'schedules.target_type',
      'jobs.started_at as job_started_at',
      'jobs.state as job_state',
      shownState.as('state')
    ])

export const findRunInHand = (db: Db, id: string): Promise<RunInHand | undefined> =>
  withJobs(db).where('schedule_runs.id', '=', id).executeTakeFirst()

export const findRunsInHand = (db: Db, ids: readonly string[]): Promise<RunInHand[]> =>
  ids.length === 0 ? Promise.resolve([]) : withJobs(db).where('schedule_runs.id', 'in', ids).execute()

export async function listRuns(db: Db, query: RunQuery, scheduleId: string | undefined) {
  let select = db.selectFrom('schedule_runs').select(['id', 'due_at'])
  if (scheduleId !== undefined) select = select.where('schedule_id', '=', scheduleId)
  if (query.state !== undefined) select = select.where(isShownAs(query.state))
  if (query.kind !== undefined) select = select.where('kind', '=', query.kind)
  if (query.code !== undefined) select = select.where('code', '=', query.code)
  if (query.from !== undefined) select = select.where('due_at', '>=', query.from)
  if (query.to !== undefined) select = select.where('due_at', '<', query.to)
  const { rows, total, nextCursor } = await fetchPage(select, query, {
    sorts: { dueAt: 'due_at' },
    id: 'id',
    defaultSort: '-dueAt'
  })
  const found = await findRunsInHand(
    db,
    rows.map(({ id }) => id)
  )
  const byId = new Map(found.map((run) => [run.id, run]))
  // A run that was deleted in between is left out.
  return { runs: rows.flatMap(({ id }) => byId.get(id) ?? []), total, nextCursor }
}

/** What is stored as queued is running while its job has it in hand. */
function isShownAs(state: RunState): ExpressionWrapper<Tables, 'schedule_runs', SqlBool> {
  const eb = expressionBuilder<Tables, 'schedule_runs'>()
  const job = eb.selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'schedule_runs.job_id')
  const isInHand = eb.exists(job.where('jobs.state', '=', 'running'))
  const isQueued = eb('schedule_runs.state', '=', 'queued')
  if (state === 'queued') return eb.and([isQueued, eb.not(isInHand)])
  if (state === 'running') return eb.or([eb('schedule_runs.state', '=', 'running'), eb.and([isQueued, isInHand])])
  return eb.and([eb('schedule_runs.state', '=', state)])
}

const waiting = prepare((db, { scheduleId }: { scheduleId: string }) =>
  db
    .selectFrom('schedule_runs')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('state', 'in', OPEN)
    .where('state', '=', 'queued')
    .where('job_id', 'is', null)
    .orderBy(sql`case when caught_up = 1 or kind = 'backfill' then 1 else 0 end`)
    .orderBy('due_at')
    .limit(1)
)

const anyWaiting = prepare((db, { scheduleId }: { scheduleId: string }) =>
  db
    .selectFrom('schedule_runs')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('state', 'in', OPEN)
    .where('state', '=', 'queued')
    .where('job_id', 'is', null)
    .limit(1)
)

const someWaiting = prepareRows((db, rows: readonly { id: string }[]) =>
  db
    .selectFrom('schedule_runs')
    .select('schedule_id')
    .distinct()
    .where(
      'schedule_id',
      'in',
      rows.map(({ id }) => id)
    )
    .where('state', 'in', OPEN)
    // With `=` the index of all that is queued would be read, rather than that of the open runs of each schedule.
    .where('state', '<>', 'running')
    .where('job_id', 'is', null)
)

/** Which of these schedules have runs that wait their turn. */
export const findThoseWaiting = async (tx: Db, scheduleIds: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await someWaiting(tx, rowsOf(scheduleIds))).map(({ schedule_id }) => schedule_id))

/** The runs of a schedule that wait their turn: those of now before those that are caught up on. */
export async function findWaiting(tx: Db, scheduleId: string): Promise<RunRow | undefined> {
  // Mostly there is none, and to prepare for putting them in order takes longer than to see that.
  if ((await anyWaiting(tx, { scheduleId })).length === 0) return undefined
  return (await waiting(tx, { scheduleId }))[0]
}

const active = prepare((db, { scheduleId }: { scheduleId: string }) =>
  db
    .selectFrom('schedule_runs')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('state', 'in', OPEN)
    .where((eb) => eb.or([eb('job_id', 'is not', null), eb('state', '=', 'running')]))
    .orderBy('id')
    .limit(1)
)

/** Whether a run of the schedule is in the hands of a job, or goes on by itself. */
export const findActive = async (tx: Db, scheduleId: string): Promise<RunRow | undefined> =>
  (await active(tx, { scheduleId }))[0]

/** All open runs of a schedule that are not being cancelled. */
export const lockOpen = (tx: Db, scheduleId: string): Promise<RunRow[]> =>
  tx
    .selectFrom('schedule_runs')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('state', 'in', OPEN)
    .where('cancel', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
