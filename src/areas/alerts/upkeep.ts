import { type Clock, toIso } from '../../engines/clock.ts'
import type { Worker } from '../../engines/jobs/index.ts'
import type { Evaluator } from './evaluation/evaluator.ts'
import type { History } from './history/service.ts'
import { deleteOldAlerts } from './history/store.ts'

/** How long resolved alerts are kept. */
const KEPT_MS = 90 * 86_400_000
const DELETED_AT_ONCE = 500

interface Needs {
  readonly clock: Clock
  readonly evaluator: Evaluator
  readonly history: History
}

export function alertWorkers({ clock, evaluator, history }: Needs): Record<string, Worker<never>> {
  const evaluate: Worker<null> = async (lease) => {
    while ((await lease.commit((tx) => history.reopen(tx))) && !lease.signal.aborted);
    await evaluator.evaluateDue(lease)
  }
  const evaluateSql: Worker<null> = (lease) => evaluator.evaluateSqlDue(lease)
  const prune: Worker<null> = async ({ signal, commit }) => {
    const before = toIso(clock.now() - KEPT_MS)
    while ((await commit((tx) => deleteOldAlerts(tx, before, DELETED_AT_ONCE))) > 0 && !signal.aborted);
  }
  return { 'alerts.evaluate': evaluate, 'alerts.evaluate-sql': evaluateSql, 'alerts.prune': prune }
}
