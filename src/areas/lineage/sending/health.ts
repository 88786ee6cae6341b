import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { HealthProblem } from '../../../http/health-problem.ts'
import { SEND, type Sending } from './sender.ts'

/** A collector that is started anew is away for less. */
const LATE_MS = 60_000
const RECENTLY_MS = 3_600_000
/** Of events that wait; where there are more, the others say the same. */
const MAX_LOOKED_AT = 1000

/** How sending on fares, all replicas together. */
interface Condition {
  /** Events that could not be sent yet, and since when the first of them waits. */
  readonly waiting: number
  readonly since: string | undefined
  /** Why not, the last time that it was tried. */
  readonly code: string | undefined
  /** Events that were given up within the last hour. */
  readonly givenUp: number
}

export async function sendingOf(db: Db, nowMs: number): Promise<Condition> {
  const open = await db
    .selectFrom('jobs')
    .select('payload')
    .where('kind', '=', SEND)
    .where('state', 'in', ['queued', 'running'])
    .orderBy('run_at')
    .limit(MAX_LOOKED_AT)
    .execute()
  const tried = open.map(({ payload }) => JSON.parse(payload) as Sending).filter(({ attempt }) => attempt > 1)
  const [first] = tried.toSorted((a, b) => (a.since < b.since ? -1 : 1))
  const { count } = await db
    .selectFrom('jobs')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('kind', '=', SEND)
    .where('state', '=', 'failed')
    .where('finished_at', '>', toIso(nowMs - RECENTLY_MS))
    .executeTakeFirstOrThrow()
  return { waiting: tried.length, since: first?.since, code: first?.code, givenUp: Number(count) }
}

/** Throws what somebody should look at, in words for anybody: the collector and its answers are not for everybody. */
export function requireSending({ waiting, since, code, givenUp }: Condition, nowMs: number): void {
  const isLate = since !== undefined && nowMs - Date.parse(since) > LATE_MS
  const many = waiting >= MAX_LOOKED_AT ? `${MAX_LOOKED_AT} or more` : waiting
  const wrong = [
    ...(isLate
      ? [
          `lineage can't be sent on since ${since}: ${code}, and ${many} events wait (see that the collector in OPENLINEAGE_URL runs, and can be reached from here)`
        ]
      : []),
    ...(givenUp > 0
      ? [
          `events that the collector in OPENLINEAGE_URL did not take within the last hour: ${givenUp} (the log says why)`
        ]
      : [])
  ]
  if (wrong.length > 0) throw new HealthProblem(wrong.join('; '))
}
