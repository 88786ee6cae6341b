import type { Db } from '../../../engines/metadata/index.ts'
import { HealthProblem } from '../../../http/health-problem.ts'
import { emptyLedger } from '../protocol/ledger.ts'
import type { RunError } from '../store/rows.ts'
import { PIPELINE_STATES, type PipelineState } from '../store/states.ts'

/** A run that has tried the same less often than this, and not for long, is in no trouble yet: it may have been an accident. */
const MANY_ATTEMPTS = 3
const LONG_MS = 30_000
/** Pipelines with an error that are looked at. Where so many are in trouble, more do not change what is to be done. */
const MAX_ERRORS = 1000

/** How pipelines fare, all replicas together. */
export interface Condition {
  readonly byState: Readonly<Record<PipelineState, number>>
  /** Pipelines that run, or are to, and try the same again and again. */
  readonly inTrouble: number
  /** Pipelines that should run and do not: their last run had worked, or was tried several times, and then failed. */
  readonly givenUp: number
}

export async function conditionOf(db: Db, nowMs: number): Promise<Condition> {
  const counts = await db
    .selectFrom('pipelines')
    .select((select) => ['status', select.fn.countAll<number>().as('pipelines')])
    .groupBy('status')
    .execute()
  const byState = Object.fromEntries(PIPELINE_STATES.map((state) => [state, 0])) as Record<PipelineState, number>
  for (const { status, pipelines } of counts) byState[status] = Number(pipelines)
  const isAny = byState.starting + byState.running > 0
  return {
    byState,
    inTrouble: isAny ? await countTroubled(db, nowMs) : 0,
    givenUp: byState.failed > 0 ? await countGivenUp(db) : 0
  }
}

/** Throws what is wrong, in words for anybody. */
export function requireWell({ inTrouble, givenUp }: Condition, keepDying: boolean): void {
  const wrong = [
    ...(givenUp > 0
      ? [`should run and failed: ${counted(givenUp)} (start or delete each of GET /api/pipelines?status=failed)`]
      : []),
    ...(inTrouble > 0 ? [`tried again and again: ${counted(inTrouble)} (their error says at what)`] : []),
    ...(keepDying
      ? ['processes that run pipelines keep ending (see the log; PIPELINE_MEMORY_MB may be too little)']
      : [])
  ]
  if (wrong.length > 0) throw new HealthProblem(wrong.join('; '))
}

const counted = (count: number): string => `${count} ${count === 1 ? 'pipeline' : 'pipelines'}`

async function countTroubled(db: Db, nowMs: number): Promise<number> {
  const rows = await db
    .selectFrom('pipelines')
    .select('error')
    .where('status', 'in', ['starting', 'running'])
    .where('error', 'is not', null)
    .limit(MAX_ERRORS)
    .execute()
  return rows.filter(({ error }) => isLasting(JSON.parse(error as string) as RunError, nowMs)).length
}

export function isLasting({ attempts = 0, since }: RunError, nowMs: number): boolean {
  return attempts >= MANY_ATTEMPTS || (since !== undefined && nowMs - Date.parse(since) > LONG_MS)
}

/** The source has forgotten what comes next: an earlier run had worked, whatever became of this one. */
export const POSITION_LOST = 'position_lost'

/** One that failed at once and had read nothing was seen to fail by whoever started it. */
async function countGivenUp(db: Db): Promise<number> {
  const { pipelines } = await db
    .selectFrom('pipelines')
    .leftJoin('pipeline_runs', 'pipeline_runs.id', 'pipelines.run_id')
    .select((select) => select.fn.countAll<number>().as('pipelines'))
    .where('pipelines.status', '=', 'failed')
    .where((where) =>
      where.or([
        where('failures', '>', 1),
        where('pipeline_runs.ledger', '!=', JSON.stringify(emptyLedger())),
        where('pipelines.error', 'like', `{"code":"${POSITION_LOST}"%`)
      ])
    )
    .executeTakeFirstOrThrow()
  return Number(pipelines)
}
