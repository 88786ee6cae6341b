import type { Clock } from '../../../engines/clock.ts'
import { idOfMoment, type MakeId } from '../../../engines/ids.ts'
import type { RunKind, RunRow } from '../migrations.ts'

export interface RunOrder {
  readonly scheduleId: string
  readonly dueAt: string
  readonly kind: RunKind
  readonly backfillId?: string
  readonly askedBy?: string
}

/**
 * A run that waits. What is due has the same identifier wherever it is decided, also in a copy of the database: those who are
 * called can tell that it is the same due time.
 */
export function newRun(makeId: MakeId, clock: Clock, order: RunOrder): RunRow {
  return {
    id: order.kind === 'due' ? idOfMoment('sr', Date.parse(order.dueAt), order.scheduleId) : makeId('sr'),
    schedule_id: order.scheduleId,
    due_at: order.dueAt,
    kind: order.kind,
    caught_up: 0,
    backfill_id: order.backfillId ?? null,
    state: 'queued',
    code: null,
    reason: null,
    attempts: 0,
    next_attempt_at: null,
    job_id: null,
    link: null,
    cancel: null,
    timeout_at: null,
    started_at: null,
    finished_at: null,
    logs: null,
    count: 1,
    due_until: null,
    asked_by: order.askedBy ?? null,
    created_at: clock.iso()
  }
}
