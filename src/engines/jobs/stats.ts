import { toIso } from '../clock.ts'
import type { Db } from '../metadata/index.ts'
import type { JobStats } from './index.ts'
import { QUEUED, RUNNING } from './table.ts'

const COUNT_UP_TO = 10_000

export async function countJobs(db: Db, nowMs: number): Promise<JobStats> {
  const jobs = db.selectFrom('jobs').where('every_ms', 'is', null)
  const queued = jobs.where('state', '=', QUEUED)
  const running = jobs.where('state', '=', RUNNING)
  const [waiting, active, oldest] = await Promise.all([
    db
      .selectFrom(queued.select('run_at').limit(COUNT_UP_TO).as('some'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom(running.select('lease_until').limit(COUNT_UP_TO).as('some'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    queued.select('run_at').where('run_at', '<=', toIso(nowMs)).orderBy('run_at').limit(1).executeTakeFirst()
  ])
  const oldestQueuedMs = oldest === undefined ? 0 : nowMs - Date.parse(oldest.run_at)
  return { queued: waiting.count, running: active.count, oldestQueuedMs }
}
