import { endedRow, type FactRow, rowOf } from './fact-rows.ts'
import type { JobBook } from './job-book.ts'

/** What begins and ends, as rows. */
export interface Settled {
  /** Of what held before: when that ends, and what was seen of it until then. */
  readonly ends: readonly FactRow[]
  /** What is new; some of it is over again already. */
  readonly begun: readonly FactRow[]
}

/** What the turns of a job come to together: of many runs that are told at once, most begin what the next one ends. */
export function settledTurns({ row: job, turns }: Pick<JobBook, 'row' | 'turns'>): Settled {
  const ends: FactRow[] = []
  const over: FactRow[] = []
  const lasting = new Map<string, FactRow>()
  for (const turn of turns) {
    if ('begins' in turn) {
      const { startedMs, runs } = turn
      const begun = { started_ms: startedMs, ended_ms: null, seen_ms: null, runs }
      for (const fact of turn.begins) lasting.set(fact, rowOf(job, fact, begun))
      continue
    }
    const { endedMs, seenMs, runs } = turn
    for (const fact of turn.ends) {
      const end = rowOf(job, fact, { started_ms: 0, ended_ms: endedMs, seen_ms: seenMs, runs })
      const own = lasting.get(fact)
      if (own === undefined) ends.push(end)
      else over.push(endedRow(own, end))
      lasting.delete(fact)
    }
  }
  return { ends, begun: [...over, ...lasting.values()] }
}
