import type { Bus } from '../../../engines/bus/index.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import { tellChanges } from '../../../http/changes.ts'
import type { Finished } from './finish.ts'

interface Needs {
  readonly bus: Bus
  readonly jobs: Jobs
}

/** Tells others that an attempt has ended, once that is committed. */
export function tell({ bus, jobs }: Needs, { run, changes, isOver, isNext }: Finished): void {
  if (isNext) jobs.wake()
  tellChanges(bus, changes)
  if (!isOver) return
  const { id, schedule_id: scheduleId, state, code, due_at: dueAt } = run
  bus.publish({ type: 'schedule-run.ended', id, scheduleId, state, code, dueAt })
}
