import type { RunRow } from '../migrations.ts'
import type { ScheduleRun } from './schema.ts'
import type { RunInHand } from './store.ts'

export type LastRunRow = Pick<RunRow, 'id' | 'due_at' | 'state' | 'code' | 'reason' | 'started_at' | 'finished_at'>

export function toLastRun(row: LastRunRow) {
  return {
    id: row.id,
    dueAt: row.due_at,
    state: row.state,
    code: row.code,
    reason: row.reason,
    startedAt: row.started_at,
    finishedAt: row.finished_at
  }
}

export function toRun(row: RunInHand): ScheduleRun {
  const startedAt = row.started_at ?? (row.job_state === 'running' ? row.job_started_at : null)
  return {
    ...toLastRun(row),
    startedAt,
    scheduleId: row.schedule_id,
    scheduleName: row.schedule_name,
    kind: row.kind,
    caughtUp: row.caught_up === 1,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lateMs: startedAt === null ? null : Date.parse(startedAt) - Date.parse(row.due_at),
    durationMs: startedAt === null || row.finished_at === null ? null : spanMs(startedAt, row.finished_at),
    link: row.link === null ? null : { type: row.target_type, id: row.link },
    logs: row.logs === null ? [] : (JSON.parse(row.logs) as string[]),
    count: row.count,
    dueUntil: row.due_until,
    backfillId: row.backfill_id,
    askedBy: row.asked_by
  }
}

/** The clock may have been put back in between. */
const spanMs = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from))
