import type { Selectable } from 'kysely'
import type { Db } from '../metadata/index.ts'
import type { Job, JobError } from './index.ts'
import { type JobsTable, QUEUED, RUNNING } from './table.ts'

export async function getJob(db: Db, id: string): Promise<Job | undefined> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toJob(row)
}

/** Recurring jobs can't be cancelled, because that would end them for good. */
export async function cancelJob(tx: Db, id: string, now: string): Promise<boolean> {
  const one = tx.updateTable('jobs').where('id', '=', id).where('every_ms', 'is', null)
  const queued = await one
    .set({ state: 'cancelled', cancel_requested: 1, finished_at: now })
    .where('state', '=', QUEUED)
    .executeTakeFirst()
  if (queued.numUpdatedRows > 0n) return true
  const running = await one.set({ cancel_requested: 1 }).where('state', '=', RUNNING).executeTakeFirst()
  return running.numUpdatedRows > 0n
}

function toJob(row: Selectable<JobsTable>): Job {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    payload: JSON.parse(row.payload),
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    runAt: row.run_at,
    deadlineAt: row.deadline_at,
    cancelRequested: row.cancel_requested === 1,
    progress: row.progress_permille / 1000,
    progressNote: row.progress_note,
    result: row.result === null ? null : JSON.parse(row.result),
    error: row.error === null ? null : (JSON.parse(row.error) as JobError),
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at
  }
}
