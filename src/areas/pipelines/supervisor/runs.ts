import type { Db } from '../../../engines/metadata/index.ts'
import type { Checkpoint } from '../protocol/checkpoint.ts'
import type { RunError, RunRow } from '../store/rows.ts'
import type { PipelineState } from '../store/states.ts'
import type { ReplayRun } from './replay-run.ts'

/** The SQL of runs that are under way. */

const ALIVE: readonly PipelineState[] = ['starting', 'running', 'stopping']

/** A replica, and the runs that it looks after. */
export interface Owner {
  readonly id: string
  readonly kept: readonly string[]
}

/** Runs that nobody looks after: nobody has taken them, whoever had is gone, or it is this replica and has given them up. */
export function findUnowned(
  db: Db,
  nowMs: number,
  deadBeforeMs: number,
  self: Owner,
  limit: number
): Promise<RunRow[]> {
  return db
    .selectFrom('pipeline_runs')
    .selectAll()
    .where('status', 'in', ALIVE)
    .where('due_ms', '<=', nowMs)
    .where((where) =>
      where.or([
        where('owner', 'is', null),
        where.and([where('owner', '=', self.id), ...self.kept.map((id) => where('pipeline_runs.id', '!=', id))]),
        where.not(
          where.exists(
            where
              .selectFrom('pipeline_owners')
              .select('pipeline_owners.id')
              .whereRef('pipeline_owners.id', '=', 'pipeline_runs.owner')
              .where('seen_ms', '>=', deadBeforeMs)
          )
        )
      ])
    )
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Takes a run as it was found; answers false where somebody else was faster. */
export async function claimRun(tx: Db, run: RunRow, owner: string): Promise<boolean> {
  // It does not run again before it says so itself.
  const status = run.status === 'running' ? 'starting' : run.status
  const { numUpdatedRows } = await tx
    .updateTable('pipeline_runs')
    .set({ owner, status, fence: run.fence + 1 })
    .where('id', '=', run.id)
    .where('fence', '=', run.fence)
    .where('status', '=', run.status)
    .executeTakeFirst()
  if (Number(numUpdatedRows) !== 1) return false
  if (status !== run.status) await tx.updateTable('pipelines').set({ status }).where('run_id', '=', run.id).execute()
  return true
}

export interface Held {
  readonly runId: string
  readonly pipelineId: string
  readonly owner: string
  readonly fence: number
  /** Of the definition that it runs. */
  readonly version: number
}

/** Changes a run through its fence; false where another holds it by now. */
export async function updateHeld(tx: Db, { runId, owner, fence }: Held, change: Partial<RunRow>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('pipeline_runs')
    .set(change)
    .where('id', '=', runId)
    .where('owner', '=', owner)
    .where('fence', '=', fence)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Whether it is to be stopped, which the one who runs it may not have heard yet. Locks the row. */
export async function isToStop(tx: Db, { runId }: Held): Promise<boolean> {
  const row = await tx
    .selectFrom('pipeline_runs')
    .select('status')
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirst()
  return row?.status === 'stopping'
}

/** What the pipeline says of itself follows its last run. */
export const updatePipelineOf = (tx: Db, runId: string, change: { status: PipelineState; error: string | null }) =>
  tx.updateTable('pipelines').set(change).where('run_id', '=', runId).execute()

export const updateErrorOf = (tx: Db, runId: string, error: string | null) =>
  tx.updateTable('pipelines').set({ error }).where('run_id', '=', runId).execute()

/** A run that only put dead letters through leaves its pipeline as it was. */
export const restorePipelineOf = (tx: Db, runId: string, { status, error, runId: before }: ReplayRun['was']) =>
  tx.updateTable('pipelines').set({ status, error, run_id: before }).where('run_id', '=', runId).execute()

export const statusOf = (db: Db, runIds: readonly string[]) =>
  runIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('pipeline_runs').select(['id', 'status', 'owner', 'fence']).where('id', 'in', runIds).execute()

export const findCheckpoint = (db: Db, pipelineId: string) =>
  db.selectFrom('pipeline_checkpoints').selectAll().where('pipeline_id', '=', pipelineId).executeTakeFirst()

export const saveCheckpoint = (tx: Db, { runId, pipelineId, version }: Held, checkpoint: Checkpoint, at: string) => {
  const row = { run_id: runId, version, checkpoint: JSON.stringify(checkpoint), committed_at: at }
  return tx
    .insertInto('pipeline_checkpoints')
    .values({ pipeline_id: pipelineId, ...row })
    .onConflict((conflict) => conflict.column('pipeline_id').doUpdateSet(row))
    .execute()
}

export const errorText = (error: RunError | null): string | null => (error === null ? null : JSON.stringify(error))

export async function beat(tx: Db, id: string, nowMs: number): Promise<void> {
  await tx
    .insertInto('pipeline_owners')
    .values({ id, seen_ms: nowMs })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_ms: nowMs }))
    .execute()
}

/** Forgets replicas that were last heard of before then: by that time all their runs have been taken over. */
export const forgetOwners = (tx: Db, beforeMs: number) =>
  tx.deleteFrom('pipeline_owners').where('seen_ms', '<', beforeMs).execute()

/** For a database that only this process can have open: whoever else is named there is gone. */
export const forgetOtherOwners = (tx: Db, id: string) =>
  tx.deleteFrom('pipeline_owners').where('id', '!=', id).execute()
