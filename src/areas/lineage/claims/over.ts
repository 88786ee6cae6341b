import type { Db } from '../../../engines/metadata/index.ts'
import { isOver, unitedPeriod } from './base.ts'
import { deleteRow, type FactRow, factOf, insertRows, lastingOf, rowOf, rowsOf } from './fact-rows.ts'
import type { Period } from './periods.ts'
import type { JobName } from './store.ts'

/** A fact with a time during which it held. */
export interface DatedFact {
  readonly fact: string
  readonly period: Period
}

/** Adds periods that ended before the runs of a job that are kept; those that have some time in common become one. */
export async function addOver(tx: Db, job: JobName & { base_ms: number }, told: readonly DatedFact[]): Promise<void> {
  if (told.length === 0) return
  const rows = (await rowsOf(tx, job)).filter((row) => isOver(row.ended_ms, job.base_ms))
  const known = Map.groupBy(rows, factOf)
  const added: FactRow[] = []
  for (const [fact, some] of Map.groupBy(told, (one) => one.fact)) {
    let periods = (known.get(fact) ?? []).map(periodOf)
    for (const { period } of some) periods = withPeriod(periods, period)
    const wanted = new Map(periods.map((period) => [JSON.stringify(period), period]))
    for (const row of known.get(fact) ?? []) {
      if (!wanted.delete(JSON.stringify(periodOf(row)))) await deleteRow(tx, row)
    }
    added.push(...[...wanted.values()].map((period) => rowOf(job, fact, lastingOf(period, 0))))
  }
  await insertRows(tx, added)
}

const periodOf = ({ started_ms, ended_ms, seen_ms, runs }: FactRow): Period => ({
  startedMs: started_ms,
  endedMs: ended_ms,
  seenMs: seen_ms ?? started_ms,
  runs
})

function withPeriod(periods: readonly Period[], added: Period): Period[] {
  const isApart = (one: Period) => !meets(one, added) || !meets(added, one)
  const met = periods.filter((one) => !isApart(one))
  return [...periods.filter(isApart), met.reduce(unitedPeriod, added)]
}

const meets = (a: Period, b: Period): boolean => a.startedMs <= (b.endedMs as number)
