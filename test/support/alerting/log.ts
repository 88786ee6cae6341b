import type { AlertRow } from '../../../src/areas/alerts/migrations.ts'
import type {
  AttemptRow,
  DeliveryAlertRow,
  DeliveryRow,
  RuleChannelRow
} from '../../../src/areas/alerts/notifications/migrations.ts'
import type { Metadata } from '../../../src/engines/metadata/index.ts'

/** A delivery with all that the log has of it. */
export interface Logged extends DeliveryRow {
  /** The channel, and what the alerts of the group agree in; groups themselves come and go. */
  readonly groupKey: string
  readonly tries: readonly AttemptRow[]
  readonly about: readonly DeliveryAlertRow[]
}

/** What the database says in the end. */
export interface Log {
  /** The oldest first. */
  readonly alerts: readonly AlertRow[]
  readonly routes: readonly RuleChannelRow[]
  /** The oldest first. */
  readonly deliveries: readonly Logged[]
}

export async function readLog({ db }: Metadata): Promise<Log> {
  const attempts = await db.selectFrom('alert_attempts').selectAll().orderBy('number').execute()
  const tries = Map.groupBy(attempts, ({ delivery_id }) => delivery_id)
  const about = await db.selectFrom('alert_delivery_alerts').selectAll().execute()
  const aboutBy = Map.groupBy(about, ({ delivery_id }) => delivery_id)
  const rows = await db.selectFrom('alert_deliveries').selectAll().orderBy('id').execute()
  return {
    alerts: await db.selectFrom('alerts').selectAll().orderBy('id').execute(),
    routes: await db.selectFrom('alert_rule_channels').selectAll().execute(),
    deliveries: rows.map((row) => ({
      ...row,
      groupKey: (JSON.parse(row.message) as { groupKey: string }).groupKey,
      tries: tries.get(row.id) ?? [],
      about: aboutBy.get(row.id) ?? []
    }))
  }
}
