import type { Bus } from '../../../engines/bus/index.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import { tellChanges } from '../../../http/changes.ts'
import type { Finished } from './finish.ts'

export interface EndNeeds {
  readonly bus: Bus
  readonly jobs: Jobs
  readonly log: Log
}

/** Tells others that an attempt has ended, once that is committed. */
export function tell({ bus, jobs, log }: EndNeeds, { run, scheduleName, changes, isOver, isNext }: Finished): void {
  if (isNext) jobs.wake()
  tellChanges(bus, changes)
  const { id, schedule_id: scheduleId, state, code, due_at: dueAt, reason, attempts } = run
  const facts = { scheduleId, scheduleName, runId: id, dueAt, code, reason, attempts }
  if (!isOver) log.info(facts, 'an attempt at a run of a schedule failed, and is made again')
  else if (state === 'failed' || state === 'timedOut') log.warn(facts, 'a run of a schedule failed')
  if (changes.length > 0) log.warn({ scheduleId, scheduleName }, 'a schedule was paused by failures')
  if (!isOver) return
  bus.publish({ type: 'schedule-run.ended', id, scheduleId, state, code, dueAt })
}
