import { sql } from 'kysely'
import type { Happening } from '../../area.ts'
import { toIso } from '../../engines/clock.ts'
import type { Db } from '../../engines/metadata/index.ts'

/** One more than alert rules take. */
const LIMIT = 1001
/** Runs are looked for so much further back than the last look: one may be committed later than it ended. */
const OVERLAP_MS = 60_000
const MISSED_LASTS_MS = 3600_000

interface Happened {
  readonly happenings: Happening[]
  readonly cursor: string
}

// Conditions are written out where an index has the same one: a database takes it only if it can tell at once.

/** Schedules whose last run failed, and those of which one has failed since the last look though another succeeded. */
export async function failedRuns(db: Db, cursor: string | null, nowMs: number): Promise<Happened> {
  const failing = await named(db).where(sql<boolean>`failures > 0`).execute()
  const since = cursor === null ? [] : await withRuns(db, sql<boolean>`state in ('failed', 'timedOut')`, cursor)
  return happened([...failing, ...since], toIso(nowMs - OVERLAP_MS))
}

/** Schedules with due times that were found to be missed within the last hour. */
export async function missedDueTimes(db: Db, _cursor: string | null, nowMs: number): Promise<Happened> {
  return happened(await withRuns(db, sql<boolean>`state = 'missed'`, toIso(nowMs - MISSED_LASTS_MS)))
}

/** Schedules that nobody but their failures has paused. */
export async function pausedByFailures(db: Db): Promise<Happened> {
  const paused = named(db).where(sql<boolean>`enabled = 0`).where('pause', 'like', '%"cause":"failures"%')
  return happened(await paused.execute())
}

const named = (db: Db) => db.selectFrom('schedules').select(['id', 'name']).limit(LIMIT)

const withRuns = (db: Db, are: ReturnType<typeof sql<boolean>>, since: string) =>
  named(db)
    .where('id', 'in', (eb) =>
      eb.selectFrom('schedule_runs').select('schedule_id').distinct().where(are).where('finished_at', '>', since)
    )
    .execute()

function happened(schedules: readonly { readonly id: string; readonly name: string }[], cursor = ''): Happened {
  const names = new Map(schedules.map(({ id, name }) => [id, name]))
  return { happenings: [...names].map(([schedule, scheduleName]) => ({ schedule, scheduleName })), cursor }
}
