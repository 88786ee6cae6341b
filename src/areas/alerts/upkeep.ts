import { type Clock, toIso } from '../../engines/clock.ts'
import type { Jobs, Worker } from '../../engines/jobs/index.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import { type SenderNeeds, sender } from './deliveries/sender.ts'
import { deleteOldDeliveries } from './deliveries/store.ts'
import type { Evaluator } from './evaluation/evaluator.ts'
import { dueRules } from './evaluation/store.ts'
import type { History } from './history/service.ts'
import { deleteOldAlerts, hasRunOut } from './history/store.ts'
import { sweep } from './notifications/sweep.ts'
import { type TellerNeeds, teller } from './notifications/teller.ts'
import { SEND, TELL } from './notifications/waking.ts'
import { deleteOldSilences } from './silences/store.ts'

/** How long resolved alerts and expired silences are kept. */
const KEPT_MS = 90 * 86_400_000
/** Messages are kept whole, to be sent again; so not for as long. */
const DELIVERIES_KEPT_MS = 30 * 86_400_000
const DELETED_AT_ONCE = 500

const EVALUATE_SQL = 'alerts.evaluate-sql'

interface Needs extends TellerNeeds, SenderNeeds {
  readonly metadata: Metadata
  readonly jobs: Jobs
  readonly clock: Clock
  readonly evaluator: Evaluator
  readonly history: History
}

export function alertWorkers(needs: Needs): Record<string, Worker<never>> {
  const { metadata, jobs, clock, evaluator, history } = needs
  const evaluate: Worker<null> = async (lease) => {
    while (!lease.signal.aborted && (await hasRunOut(metadata.db, clock.iso()))) {
      await lease.commit((tx) => history.reopen(tx))
    }
    if ((await dueRules(metadata.db, clock.now(), true, 1)).length > 0) {
      // Where the last one still runs, this is that one.
      await lease.commit((tx) => jobs.enqueue(tx, { kind: EVALUATE_SQL, payload: null, key: 'all' }))
      jobs.wake()
    }
    await sweep(needs, clock.now(), lease.commit)
    await evaluator.evaluateDue(lease)
  }
  const evaluateSql: Worker<null> = (lease) => evaluator.evaluateSqlDue(lease)
  const prune: Worker<null> = async ({ signal, commit }) => {
    const olds = [
      { deleteOld: deleteOldAlerts, keptMs: KEPT_MS },
      { deleteOld: deleteOldSilences, keptMs: KEPT_MS },
      { deleteOld: deleteOldDeliveries, keptMs: DELIVERIES_KEPT_MS }
    ]
    for (const { deleteOld, keptMs } of olds) {
      const before = toIso(clock.now() - keptMs)
      while ((await commit((tx) => deleteOld(tx, before, DELETED_AT_ONCE))) > 0 && !signal.aborted);
    }
  }
  return {
    'alerts.evaluate': evaluate,
    [EVALUATE_SQL]: evaluateSql,
    [TELL]: teller(needs),
    [SEND]: sender(needs) as Worker<never>,
    'alerts.prune': prune
  }
}
