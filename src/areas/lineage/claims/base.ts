import type { Db } from '../../../engines/metadata/index.ts'
import type { BaseRow } from '../migrations.ts'
import { type Period, periodsOf, type SpokenRun } from './periods.ts'
import type { JobName } from './store.ts'

/** What the runs of a job have told that are no longer kept, all of which began before those that are. */
export interface Base {
  readonly runs: number
  readonly wholeRuns: number
  /** The start of the newest that was whole. */
  readonly wholeMs: number | null
  /** What held when the oldest run that is kept began, or ended then or later. What ended before is in its rows alone. */
  readonly facts: ReadonlyMap<string, Period>
}

export const NO_BASE: Base = { runs: 0, wholeRuns: 0, wholeMs: null, facts: new Map() }

/** Ended before the oldest run that is kept began: no run that is told of can change it. */
export const isOver = (endedMs: number | null, baseMs: number): boolean => endedMs !== null && endedMs < baseMs

/** The base with older runs put into it; all of them began before `baseMs`. */
export function folded(base: Base, runs: readonly SpokenRun[], baseMs: number): Base {
  const whole = runs.filter(({ wholeMs }) => wholeMs !== null)
  const lasts = [...periodsOf(runs, base)].flatMap(([fact, periods]): [string, Period][] => {
    const last = periods.at(-1)
    return last === undefined || isOver(last.endedMs, baseMs) ? [] : [[fact, last]]
  })
  return {
    runs: base.runs + runs.length,
    wholeRuns: base.wholeRuns + whole.length,
    wholeMs: whole.reduce<number | null>((max, { startMs }) => Math.max(max ?? 0, startMs), base.wholeMs),
    facts: new Map(lasts)
  }
}

/**
 * What two bases of the same time tell together. Most of it will be the same runs, told to two servers, so counts are not
 * added.
 */
export function united(a: Base, b: Base): Base {
  const facts = new Map(a.facts)
  for (const [fact, period] of b.facts) {
    const known = facts.get(fact)
    facts.set(fact, known === undefined ? period : unitedPeriod(known, period))
  }
  return {
    runs: Math.max(a.runs, b.runs),
    wholeRuns: Math.max(a.wholeRuns, b.wholeRuns),
    wholeMs: a.wholeMs === null || b.wholeMs === null ? (a.wholeMs ?? b.wholeMs) : Math.max(a.wholeMs, b.wholeMs),
    facts
  }
}

/** Two periods that have some time in common, as one. */
export const unitedPeriod = (a: Period, b: Period): Period => ({
  startedMs: Math.min(a.startedMs, b.startedMs),
  endedMs: a.endedMs === null || b.endedMs === null ? null : Math.max(a.endedMs, b.endedMs),
  seenMs: Math.max(a.seenMs, b.seenMs),
  runs: Math.max(a.runs, b.runs)
})

type Written = readonly [fact: unknown, startedMs: number, endedMs: number | null, seenMs: number, runs: number]

export async function readBase(tx: Db, { job, how }: JobName): Promise<Base> {
  const query = tx.selectFrom('lineage_bases').selectAll().where('job', '=', job).where('how', '=', how)
  const row = await query.executeTakeFirst()
  if (row === undefined) return NO_BASE
  const facts = (JSON.parse(row.facts) as Written[]).map(
    ([fact, startedMs, endedMs, seenMs, runs]) => [JSON.stringify(fact), { startedMs, endedMs, seenMs, runs }] as const
  )
  return { runs: row.runs, wholeRuns: row.whole_runs, wholeMs: row.whole_ms, facts: new Map(facts) }
}

export async function writeBase(tx: Db, { job, how }: JobName, base: Base, baseMs: number): Promise<void> {
  const facts = [...base.facts].map(
    ([fact, { startedMs, endedMs, seenMs, runs }]): Written => [JSON.parse(fact), startedMs, endedMs, seenMs, runs]
  )
  const row: BaseRow = {
    job,
    how,
    runs: base.runs,
    whole_runs: base.wholeRuns,
    whole_ms: base.wholeMs,
    facts: JSON.stringify(facts)
  }
  await tx
    .insertInto('lineage_bases')
    .values(row)
    .onConflict((conflict) => conflict.columns(['job', 'how']).doUpdateSet(row))
    .execute()
  await tx.updateTable('lineage_jobs').set({ base_ms: baseMs }).where('job', '=', job).where('how', '=', how).execute()
}
