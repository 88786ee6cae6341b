import { toIso } from '../../engines/clock.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'

/** How late due times may be dealt with before somebody should look. */
const LATE_MS = 30_000
const MISSED_WITHIN_MS = 86_400_000

export interface Condition {
  readonly enabled: number
  readonly paused: number
  /** Paused because runs failed one after the other. */
  readonly pausedByFailures: number
  /** Whose last run failed. */
  readonly failing: number
  /** Due times of the last day that no server was there for. */
  readonly missed: number
  /** The due time that has waited longest to be dealt with; undefined where none has. */
  readonly waitingSince: string | undefined
  /** Runs that are under way, or wait. */
  readonly open: number
  /** Since when the run has waited that should have begun first, of those that are due now. */
  readonly runsWaitSince: string | undefined
}

export async function conditionOf(db: Db, nowMs: number): Promise<Condition> {
  const counts = await db
    .selectFrom('schedules')
    .select((eb) => [
      'enabled',
      eb.fn.countAll<number>().as('schedules'),
      eb.fn.sum<number>(eb.case().when('failures', '>', 0).then(1).else(0).end()).as('failing'),
      eb.fn.sum<number>(eb.case().when('pause', 'like', '%"cause":"failures"%').then(1).else(0).end()).as('by_failures')
    ])
    .groupBy('enabled')
    .execute()
  const of = (enabled: number) => counts.find((row) => Number(row.enabled) === enabled)
  const late = await db
    .selectFrom('schedules')
    .select('next_fire_at')
    .where('next_fire_at', 'is not', null)
    .where('next_fire_at', '<', toIso(nowMs - LATE_MS))
    .orderBy('next_fire_at')
    .limit(1)
    .executeTakeFirst()
  return {
    enabled: Number(of(1)?.schedules ?? 0),
    paused: Number(of(0)?.schedules ?? 0),
    pausedByFailures: Number(of(0)?.by_failures ?? 0),
    failing: Number(of(1)?.failing ?? 0),
    missed: await countMissed(db, toIso(nowMs - MISSED_WITHIN_MS)),
    waitingSince: late?.next_fire_at ?? undefined,
    open: await countOpen(db),
    runsWaitSince: await oldestWaiting(db, toIso(nowMs))
  }
}

async function countMissed(db: Db, from: string): Promise<number> {
  const { missed } = await db
    .selectFrom('schedule_runs')
    .select((eb) => eb.fn.sum<number | null>('count').as('missed'))
    .where('state', '=', 'missed')
    .where('due_at', '>=', from)
    .executeTakeFirstOrThrow()
  return Number(missed ?? 0)
}

async function countOpen(db: Db): Promise<number> {
  const { open } = await db
    .selectFrom('schedule_runs')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** Runs whose turn it is have a job: one that is queued still waits for a place. */
async function oldestWaiting(db: Db, now: string): Promise<string | undefined> {
  const job = await db
    .selectFrom('jobs')
    .select('run_at')
    .where('kind', 'in', ['scheduler.run', 'scheduler.call'])
    .where('state', '=', 'queued')
    .where('run_at', '<=', now)
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst()
  return job?.run_at
}

/** Throws what is wrong, in words for anybody. */
export function requireWell(condition: Condition, nowMs: number): void {
  const { pausedByFailures, failing, waitingSince, runsWaitSince, open } = condition
  const waitedS = runsWaitSince === undefined ? 0 : Math.round((nowMs - Date.parse(runsWaitSince)) / 1000)
  const wrong = [
    ...(waitingSince === undefined
      ? []
      : [
          `due times are not dealt with since ${waitingSince} (${Math.round((nowMs - Date.parse(waitingSince)) / 1000)} s; see the log)`
        ]),
    ...(waitedS * 1000 > LATE_MS
      ? [
          `runs begin late: the first has waited for ${waitedS} s, and ${open} wait or are under way (give the server more processor, or spread due times with jitterSeconds)`
        ]
      : []),
    ...(pausedByFailures > 0
      ? [`paused by failures: ${counted(pausedByFailures)} (see pause of GET /api/scheduler/schedules?enabled=false)`]
      : []),
    ...(failing > 0
      ? [`failed and not succeeded since: ${counted(failing)} (see GET /api/scheduler/schedules?failing=true)`]
      : [])
  ]
  if (wrong.length > 0) throw new HealthProblem(wrong.join('; '))
}

const counted = (count: number): string => `${count} ${count === 1 ? 'schedule' : 'schedules'}`
