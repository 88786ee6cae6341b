import { DataError } from '../../../data/errors.ts'
import type { Mask } from '../../../data/mask.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { type Compiled, wrongOf } from './compile.ts'
import type { Outcome } from './pass.ts'
import type { Question } from './question.ts'
import { type Sampled, type SampleRow, sampleOfSql, samplesOf } from './sample.ts'

/** Of so many rows what needs a group or a join is looked for by itself. */
const MANY_ROWS = 100_000

interface Needs {
  readonly plane: Sampled
  /** What may not be seen by everybody who may see results. */
  readonly mask: Mask | undefined
  readonly signal: AbortSignal
  /** Whether no more statements are to be begun. */
  isLate(): boolean
}

/** Adds rows that are wrong to what came of rules. A sample that can't be had is no reason to doubt what was counted. */
export async function addSamples(
  needs: Needs,
  columns: readonly DataColumn[],
  questions: readonly Question[],
  outcomes: Map<string, Outcome>
): Promise<void> {
  const { mask, signal } = needs
  const failing = questions.flatMap(({ rule, compiled }) => {
    const outcome = outcomes.get(rule.id)
    const query = outcome?.failingRowsQuery
    return outcome === undefined || !query || outcome.rowsFailed === 0 ? [] : [{ rule, compiled, outcome, query }]
  })
  const own = failing.filter(({ rule }) => rule.type === 'sql')
  const shared = Map.groupBy(
    failing.filter(({ rule }) => rule.type !== 'sql'),
    (one) => (isDear(one) ? one : undefined)
  )
  const keep = ({ rule, outcome }: (typeof failing)[number], sample: readonly SampleRow[] | undefined) =>
    outcomes.set(rule.id, { ...outcome, sample: sample ?? [] })
  for (const some of shared.values()) {
    await orNothing(needs, async () => {
      const wanted = some.map(({ query, compiled, outcome }) => ({
        query,
        wrong: wrongOf(compiled),
        count: outcome.rowsFailed,
        checked: outcome.rowsChecked
      }))
      const samples = await samplesOf(needs, columns, mask, wanted, signal)
      for (const [at, one] of some.entries()) keep(one, samples[at])
    })
  }
  for (const one of own) {
    await orNothing(needs, async () => keep(one, await sampleOfSql(needs, mask, one.query, signal)))
  }
}

/** Groups and joins of many rows: several at once might not be had, and so cost others their samples. */
const isDear = ({ compiled, outcome }: { readonly compiled: Compiled; readonly outcome: Outcome }): boolean =>
  compiled.counts !== undefined && outcome.rowsChecked > MANY_ROWS

async function orNothing({ isLate }: Needs, work: () => Promise<unknown>): Promise<void> {
  if (isLate()) return
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DataError) || error.code === 'cancelled' || error.code === 'closed') throw error
  }
}
