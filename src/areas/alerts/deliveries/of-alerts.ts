import type { Db } from '../../../engines/metadata/index.ts'
import type { BriefDelivery } from './schema.ts'
import { toBrief } from './view.ts'

/** The newest messages about an alert that are shown with it. */
const SHOWN = 10
/** Of all alerts of a page together. */
const READ = 2000

/** The last messages about alerts, by alert, the newest first. */
export async function deliveriesOf(db: Db, alertIds: readonly string[]): Promise<Map<string, BriefDelivery[]>> {
  if (alertIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('alert_delivery_alerts')
    .innerJoin('alert_deliveries', 'alert_deliveries.id', 'alert_delivery_alerts.delivery_id')
    .select([
      'alert_delivery_alerts.alert_id',
      'alert_deliveries.id',
      'channel_id',
      'channel_name',
      'channel_type',
      'group_id',
      'kind',
      'title',
      'alert_deliveries.state',
      'attempts',
      'max_attempts',
      'next_ms',
      'created_at',
      'ended_at',
      'replay_of'
    ])
    .where('alert_id', 'in', alertIds)
    .orderBy('alert_deliveries.id', 'desc')
    .limit(READ)
    .execute()
  const byAlert = Map.groupBy(rows, ({ alert_id }) => alert_id)
  return new Map([...byAlert].map(([id, own]) => [id, own.slice(0, SHOWN).map(toBrief)]))
}
