import type { Clock } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { ResolveReason } from '../evaluation/states.ts'
import type { AlertRow } from '../migrations.ts'
import type { Notices } from '../notices.ts'
import { deleteInstances, instancesOf } from '../rules/store.ts'
import { lockAlerts, updateAlert } from './store.ts'

interface Needs {
  readonly clock: Clock
  readonly notices: Notices
}

export function resolvedAlert(alert: AlertRow, reason: ResolveReason, at: string, by: string | null = null): AlertRow {
  return {
    ...alert,
    state: 'resolved',
    resolved_at: at,
    resolved_by: by,
    resolve_reason: reason,
    version: alert.version + 1
  }
}

/** Resolves the alerts of a rule that nobody will evaluate any more, and forgets its instances. */
export async function closeAlertsOf(
  tx: Db,
  { clock, notices }: Needs,
  ruleId: string,
  reason: 'rule-disabled' | 'rule-deleted'
): Promise<void> {
  const open = (await instancesOf(tx, ruleId)).flatMap(({ alert_id }) => (alert_id === null ? [] : [alert_id]))
  const closed = (await lockAlerts(tx, open)).map((alert) => resolvedAlert(alert, reason, clock.iso()))
  for (const alert of closed) await updateAlert(tx, alert)
  await notices.changed(tx, closed, 'resolved')
  await deleteInstances(tx, ruleId)
}
