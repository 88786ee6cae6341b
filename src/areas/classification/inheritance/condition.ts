import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { type Finding, type Installation, ok, warn } from '../../../finding.ts'
import { HealthProblem } from '../../../http/health-problem.ts'
import { metricText } from '../../../http/metric-text.ts'
import { FOLLOW_JOB } from './marks.ts'
import { MAX_STEPS } from './rule.ts'

/** A change is followed within seconds; a large one, such as another order of levels, takes longer, and somebody should know. */
const LATE_MS = 60_000
const MAX_COUNTED = 100_000

interface Condition {
  /** Levels that are inherited. */
  readonly inherited: number
  /** Changes that were not followed yet, and since when the oldest of them is known. */
  readonly waiting: number
  readonly sinceMs: number | null
}

async function conditionOf(db: Db): Promise<Condition> {
  const shown = db.selectFrom('classification_inherited').select('node').where('is_shown', '=', 1).limit(MAX_COUNTED)
  const { rows } = await db
    .selectFrom(shown.as('shown'))
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return { inherited: Number(rows), ...(await lagOf(db)) }
}

async function lagOf(db: Db): Promise<Pick<Condition, 'waiting' | 'sinceMs'>> {
  const marks = db.selectFrom('classification_marks').select('noticed_ms').limit(MAX_COUNTED)
  const { rows } = await db
    .selectFrom(marks.as('marks'))
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  const oldest = await marks.where('noticed_ms', 'is not', null).orderBy('noticed_ms').limit(1).executeTakeFirst()
  return { waiting: Number(rows), sinceMs: oldest?.noticed_ms ?? null }
}

/** Throws where levels have not followed a change for long, with since when, why, and what to do. */
export async function requireFollowing(db: Db, nowMs: number): Promise<void> {
  const { waiting, sinceMs } = await lagOf(db)
  if (sinceMs !== null && nowMs - sinceMs > LATE_MS) throw new HealthProblem(await lateness(db, waiting, sinceMs))
}

async function lateness(db: Db, waiting: number, sinceMs: number): Promise<string> {
  const job = await db.selectFrom('jobs').select('error').where('kind', '=', FOLLOW_JOB).executeTakeFirst()
  const { code } = JSON.parse(job?.error ?? '{}') as { code?: string }
  const why = code === undefined ? 'it is still at work, or does not run' : `it failed with ${code}`
  return `levels do not follow labels and lineage since ${toIso(sinceMs)}: ${waiting} changes wait for the job ${FOLLOW_JOB}, and ${why} (see the log, and that a server runs; the levels of before hold until then)`
}

export async function renderInheritanceMetrics(db: Db, nowMs: number): Promise<string> {
  const { inherited, waiting, sinceMs } = await conditionOf(db)
  const gauge = (name: string, about: string, value: number) => metricText(name, 'gauge', about, [{ value }])
  return [
    gauge('millrace_classification_inherited', 'Levels that data and columns inherit, counted to 100,000', inherited),
    gauge(
      'millrace_classification_marks',
      'Changes of labels and lineage that levels have not followed yet, counted to 100,000',
      waiting
    ),
    gauge(
      'millrace_classification_lag_seconds',
      'Age of the oldest change that levels have not followed yet',
      sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs) / 1000
    )
  ].join('')
}

/** What the doctor says of inherited levels. */
export async function checkInheritance({ metadata, clock }: Installation): Promise<Finding[]> {
  if (metadata === undefined || !(await areThere(metadata.db))) return []
  const { db } = metadata
  const { inherited, waiting, sinceMs } = await conditionOf(db)
  const found: Finding[] = []
  if (inherited > 0) found.push(ok('classification', `${inherited} levels are inherited along the lineage`))
  if (sinceMs !== null && clock.now() - sinceMs > LATE_MS) {
    found.push(warn('classification', await lateness(db, waiting, sinceMs)))
  }
  const ends = await db
    .selectFrom('classification_inherited')
    .select('resource')
    .where('distance', '=', MAX_STEPS)
    .limit(1)
    .executeTakeFirst()
  if (ends !== undefined) {
    const detail = `the way of a level is ${MAX_STEPS} steps long at ${ends.resource} and is followed no further: give what comes after it a level of its own`
    found.push(warn('classification', detail))
  }
  return found
}

/** In a database of an older version they may not be. */
async function areThere(db: Db): Promise<boolean> {
  const names = new Set((await db.introspection.getTables()).map(({ name }) => name))
  return ['classification_inherited', 'classification_marks', 'jobs'].every((name) => names.has(name))
}
