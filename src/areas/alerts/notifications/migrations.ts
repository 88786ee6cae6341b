import type { ChannelKind } from '../../../engines/channels/index.ts'
import type { Migration } from '../../../engines/metadata/index.ts'
import type { Stamps } from '../../../http/rows.ts'
import type { AlertState } from '../rules/words.ts'

declare module '../../../engines/metadata/index.ts' {
  interface Tables {
    alert_channels: ChannelRow
    alert_rule_channels: RuleChannelRow
    alert_groups: GroupRow
    alert_group_members: MemberRow
    alert_deliveries: DeliveryRow
    alert_delivery_alerts: DeliveryAlertRow
    alert_attempts: AttemptRow
  }
}

/** Somebody, or some system, that is told of alerts. */
export interface ChannelRow extends Stamps {
  id: string
  name: string
  type: ChannelKind
  /** JSON, without what is secret. */
  config: string
  /** The secret fields of the configuration, sealed as one. */
  secrets: string | null
  /** JSON: how alerts are grouped, when nothing is said, and in which words. */
  settings: string
  enabled: number
  /** Nothing is sent before: the receiver asked for it, or has failed several times. */
  held_until_ms: number | null
  /** Sends that failed one after the other. */
  failures: number
  failing_since: string | null
  /** What the last one failed at; null while all is well. */
  last_error: string | null
  last_sent_at: string | null
  created_by: string
}

/** Who is told of the alerts of a rule. */
export interface RuleChannelRow {
  rule_id: string
  channel_id: string
  /** 0 at once; the others where nobody has taken the alert on by then. */
  step: number
  after_ms: number
}

/** Alerts that one channel is told of together: those whose labels agree in what the channel groups by. */
export interface GroupRow {
  id: string
  channel_id: string
  /** JSON: names and values of the labels that they agree in. */
  key: string
  /** When to see what there is to tell; null: not before something changes. */
  next_ms: number | null
  /** When the last message was made. */
  told_ms: number | null
  /** The message that is under way; until it has ended, no other is made. */
  delivery_id: string | null
}

export interface MemberRow {
  group_id: string
  alert_id: string
  /** The last state of the alert that the channel has got to know; null: none. */
  told: Told | null
  /** Of the escalation that brought it here; 0: none. */
  step: number
}

/** `tried`: a message was given up, but may have arrived; so the end is told, and what begins once more. */
export type Told = Exclude<AlertState, 'resolved'> | 'tried'

export const DELIVERY_STATES = ['waiting', 'sent', 'refused', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One message to one channel, with all attempts at sending it. */
export interface DeliveryRow {
  id: string
  channel_id: string
  channel_name: string
  channel_type: ChannelKind
  group_id: string | null
  kind: string
  title: string
  /** JSON. */
  message: string
  state: DeliveryState
  attempts: number
  max_attempts: number
  /** While it waits. */
  next_ms: number | null
  created_at: string
  ended_at: string | null
  /** The delivery that it says again. */
  replay_of: string | null
}

export interface DeliveryAlertRow {
  delivery_id: string
  alert_id: string
  /** What the message says of it. */
  state: AlertState
}

/** One try at sending a message. */
export interface AttemptRow {
  delivery_id: string
  number: number
  at: string
  duration_ms: number
  /** `unknown` where the process ended in the middle. */
  outcome: 'sent' | 'refused' | 'failed' | 'unknown'
  status: number | null
  code: string
  answer: string
}

export const notificationMigrations: readonly Migration[] = [
  {
    id: 'alerts/003-channels',
    async up(db, type) {
      await db.schema
        .createTable('alert_channels')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('type', type.text, (column) => column.notNull())
        .addColumn('config', type.text, (column) => column.notNull())
        .addColumn('secrets', type.text)
        .addColumn('settings', type.text, (column) => column.notNull())
        .addColumn('enabled', type.integer, (column) => column.notNull())
        .addColumn('held_until_ms', type.integer)
        .addColumn('failures', type.integer, (column) => column.notNull())
        .addColumn('failing_since', type.text)
        .addColumn('last_error', type.text)
        .addColumn('last_sent_at', type.text)
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('alert_rule_channels')
        .addColumn('rule_id', type.text, (column) => column.notNull().references('alert_rules.id').onDelete('cascade'))
        .addColumn('channel_id', type.text, (column) => column.notNull().references('alert_channels.id'))
        .addColumn('step', type.integer, (column) => column.notNull())
        .addColumn('after_ms', type.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('alert_rule_channels_pk', ['rule_id', 'step', 'channel_id'])
        .execute()
      await db.schema
        .createIndex('alert_rule_channels_by_channel')
        .on('alert_rule_channels')
        .columns(['channel_id', 'rule_id'])
        .execute()
    }
  },
  {
    id: 'alerts/004-notifications',
    async up(db, type) {
      await db.schema
        .createTable('alert_groups')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('channel_id', type.text, (column) =>
          column.notNull().references('alert_channels.id').onDelete('cascade')
        )
        .addColumn('key', type.text, (column) => column.notNull())
        .addColumn('next_ms', type.integer)
        .addColumn('told_ms', type.integer)
        .addColumn('delivery_id', type.text)
        .addUniqueConstraint('alert_groups_key', ['channel_id', 'key'])
        .execute()
      await db.schema.createIndex('alert_groups_due').on('alert_groups').column('next_ms').execute()
      await db.schema
        .createTable('alert_group_members')
        .addColumn('group_id', type.text, (column) =>
          column.notNull().references('alert_groups.id').onDelete('cascade')
        )
        .addColumn('alert_id', type.text, (column) => column.notNull().references('alerts.id').onDelete('cascade'))
        .addColumn('told', type.text)
        .addColumn('step', type.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('alert_group_members_pk', ['group_id', 'alert_id'])
        .execute()
      await db.schema.createIndex('alert_group_members_by_alert').on('alert_group_members').column('alert_id').execute()
      await db.schema
        .createTable('alert_deliveries')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('channel_id', type.text, (column) => column.notNull())
        .addColumn('channel_name', type.text, (column) => column.notNull())
        .addColumn('channel_type', type.text, (column) => column.notNull())
        .addColumn('group_id', type.text)
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('title', type.text, (column) => column.notNull())
        .addColumn('message', type.text, (column) => column.notNull())
        .addColumn('state', type.text, (column) => column.notNull())
        .addColumn('attempts', type.integer, (column) => column.notNull())
        .addColumn('max_attempts', type.integer, (column) => column.notNull())
        .addColumn('next_ms', type.integer)
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('ended_at', type.text)
        .addColumn('replay_of', type.text)
        .execute()
      await db.schema
        .createIndex('alert_deliveries_due')
        .on('alert_deliveries')
        .columns(['channel_id', 'next_ms'])
        .execute()
      await db.schema.createIndex('alert_deliveries_late').on('alert_deliveries').column('next_ms').execute()
      await db.schema
        .createIndex('alert_deliveries_by_channel')
        .on('alert_deliveries')
        .columns(['channel_id', 'id'])
        .execute()
      await db.schema.createIndex('alert_deliveries_by_state').on('alert_deliveries').columns(['state', 'id']).execute()
      await db.schema.createIndex('alert_deliveries_by_end').on('alert_deliveries').column('ended_at').execute()
      await db.schema
        .createTable('alert_delivery_alerts')
        .addColumn('delivery_id', type.text, (column) =>
          column.notNull().references('alert_deliveries.id').onDelete('cascade')
        )
        .addColumn('alert_id', type.text, (column) => column.notNull())
        .addColumn('state', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('alert_delivery_alerts_pk', ['delivery_id', 'alert_id'])
        .execute()
      await db.schema
        .createIndex('alert_delivery_alerts_by_alert')
        .on('alert_delivery_alerts')
        .column('alert_id')
        .execute()
      await db.schema
        .createTable('alert_attempts')
        .addColumn('delivery_id', type.text, (column) =>
          column.notNull().references('alert_deliveries.id').onDelete('cascade')
        )
        .addColumn('number', type.integer, (column) => column.notNull())
        .addColumn('at', type.text, (column) => column.notNull())
        .addColumn('duration_ms', type.integer, (column) => column.notNull())
        .addColumn('outcome', type.text, (column) => column.notNull())
        .addColumn('status', type.integer)
        .addColumn('code', type.text, (column) => column.notNull())
        .addColumn('answer', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('alert_attempts_pk', ['delivery_id', 'number'])
        .execute()
    }
  }
]
