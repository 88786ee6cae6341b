import { toIso } from '../clock.ts'
import type { Db } from '../metadata/index.ts'
import type { JobStats, JobTrouble } from './index.ts'
import { FAILED, QUEUED, RUNNING } from './table.ts'

const COUNT_UP_TO = 10_000
/** Fewer failures may be an accident. */
const MANY_ATTEMPTS = 3
const RECENTLY_MS = 3600_000
const MAX_KINDS = 20

export async function countJobs(db: Db, nowMs: number): Promise<JobStats> {
  const jobs = db.selectFrom('jobs')
  // Recurring work always waits for its next time, so only its running jobs are counted.
  const queued = jobs.where('state', '=', QUEUED).where('every_ms', 'is', null)
  const running = jobs.where('state', '=', RUNNING)
  const failed = jobs.where('state', '=', FAILED)
  const counted = async (some: typeof queued) => {
    const limited = db.selectFrom(some.select('run_at').limit(COUNT_UP_TO).as('some'))
    return (await limited.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
  }
  const oldest = await queued
    .select('run_at')
    .where('run_at', '<=', toIso(nowMs))
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst()
  return {
    queued: await counted(queued),
    running: await counted(running),
    failed: await counted(failed),
    oldestQueuedMs: oldest === undefined ? 0 : nowMs - Date.parse(oldest.run_at)
  }
}

const plain = ({ kind, count }: { kind: string; count: number }) => ({ kind, count: Number(count) })

/** Recurring work counts from its first failure on: its failures are not counted. */
export async function troubleOf(db: Db, nowMs: number): Promise<JobTrouble> {
  const failing = await db
    .selectFrom('jobs')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('finished_at', 'is', null)
    .where('error', 'is not', null)
    .where((eb) => eb.or([eb('every_ms', 'is not', null), eb('attempts', '>=', MANY_ATTEMPTS)]))
    .groupBy('kind')
    .orderBy('kind')
    .limit(MAX_KINDS)
    .execute()
  const givenUp = await db
    .selectFrom('jobs')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('state', '=', FAILED)
    .where('finished_at', '>', toIso(nowMs - RECENTLY_MS))
    .groupBy('kind')
    .orderBy('kind')
    .limit(MAX_KINDS)
    .execute()
  return { failing: failing.map(plain), givenUp: givenUp.map(plain) }
}
