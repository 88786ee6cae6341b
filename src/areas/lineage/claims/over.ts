import type { Db } from '../../../engines/metadata/index.ts'
import { type Base, isOver, unitedPeriod } from './base.ts'
import { deleteRows, type FactRow, factOf, insertRows, lastingOf, rowOf, rowsOf } from './fact-rows.ts'
import type { Period } from './periods.ts'
import type { JobName } from './store.ts'

/** A fact with a time during which it held. */
export interface DatedFact {
  readonly fact: string
  readonly period: Period
}

/**
 * Adds periods that follow from runs which are gone; those of a fact that have some time in common become one. Rows hold
 * what ended before the runs that are kept; what did not is in the base that is answered.
 */
export async function withPast(
  tx: Db,
  job: JobName & { base_ms: number },
  base: Base,
  told: readonly DatedFact[]
): Promise<Base> {
  const rows = (await rowsOf(tx, [job])).filter((row) => isOver(row.ended_ms, job.base_ms))
  const known = Map.groupBy(rows, factOf)
  const facts = new Map(base.facts)
  const removed: FactRow[] = []
  const added: FactRow[] = []
  for (const [fact, some] of Map.groupBy(told, (one) => one.fact)) {
    const own = known.get(fact) ?? []
    const lasting = facts.get(fact)
    let periods = [...own.map(periodOf), ...(lasting === undefined ? [] : [lasting])]
    for (const { period } of some) periods = withPeriod(periods, period)
    const over = new Map(
      periods.filter(({ endedMs }) => isOver(endedMs, job.base_ms)).map((period) => [nameOf(period), period])
    )
    for (const period of periods) if (!isOver(period.endedMs, job.base_ms)) facts.set(fact, period)
    for (const row of own) if (!over.delete(nameOf(periodOf(row)))) removed.push(row)
    added.push(...[...over.values()].map((period) => rowOf(job, fact, lastingOf(period, 0))))
  }
  await deleteRows(tx, removed)
  await insertRows(tx, added)
  return { ...base, facts }
}

const periodOf = ({ started_ms, ended_ms, seen_ms, runs }: FactRow): Period => ({
  startedMs: started_ms,
  endedMs: ended_ms,
  seenMs: seen_ms ?? started_ms,
  runs
})

const nameOf = ({ startedMs, endedMs, seenMs, runs }: Period) => JSON.stringify([startedMs, endedMs, seenMs, runs])

function withPeriod(periods: readonly Period[], added: Period): Period[] {
  const isApart = (one: Period) => !beginsWithin(one, added) || !beginsWithin(added, one)
  const met = periods.filter((one) => !isApart(one))
  return [...periods.filter(isApart), met.reduce(unitedPeriod, added)]
}

const beginsWithin = (a: Period, b: Period): boolean => b.endedMs === null || a.startedMs <= b.endedMs
