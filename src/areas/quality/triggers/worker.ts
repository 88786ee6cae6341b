import type { Bus } from '../../../engines/bus/index.ts'
import type { Worker } from '../../../engines/jobs/index.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Evaluations } from '../evaluation/service.ts'
import { rulesOf } from '../rules/store.ts'
import { settle, wantedNow, wantedRules } from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly bus: Bus
  readonly evaluations: Evaluations
}

const DATASETS_AT_ONCE = 10

/**
 * Evaluates what is wanted, one dataset after the other; what is left comes with the next round, seconds later. It is wanted
 * until the results are committed, whatever happens meanwhile. What somebody has cancelled is not begun again.
 */
export function wantedEvaluations({ metadata, bus, evaluations }: Needs): Worker<null> {
  return async ({ signal, commit }) => {
    for (const wanted of await wantedNow(metadata.db, DATASETS_AT_ONCE)) {
      if (signal.aborted) return
      const rules = await rulesOf(metadata.db, wanted.dataset, await wantedRules(metadata.db, wanted))
      if (rules.length === 0) {
        await commit((tx) => settle(tx, wanted))
        continue
      }
      const evaluated = await evaluations.evaluate(rules, { cause: wanted.trigger, startedBy: null }, signal)
      await commit(async (tx) => {
        await evaluated.commit(tx)
        await settle(tx, wanted)
      })
      bus.publish({ type: 'quality-evaluation.created', id: evaluated.id })
    }
  }
}
