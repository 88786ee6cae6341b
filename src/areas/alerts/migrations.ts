import type { Migration } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'
import type { InstanceState } from './evaluation/states.ts'
import { notificationMigrations } from './notifications/migrations.ts'
import type { AlertState, Severity } from './rules/words.ts'
import { silenceMigrations } from './silences/migrations.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    alert_rules: RuleRow
    alert_rule_uses: RuleUseRow
    alert_instances: InstanceRow
    alerts: AlertRow
    alert_labels: AlertLabelRow
  }
}

export interface RuleRow extends Stamps {
  id: string
  name: string
  description: string
  /** JSON; the conditions of a rule, and the texts that the rest of it was made of. */
  definition: string
  severity: Severity
  enabled: number
  /** Those that read data with SQL are evaluated apart, because that may take long. */
  reads_sql: number
  interval_ms: number
  /** Evaluations lie so long after whole intervals: those of many rules are spread. */
  phase_ms: number
  /** When it is to be evaluated; a number, so that many are moved on in one statement. */
  next_ms: number
  /** The worst of its instances; null before the first evaluation and while it is disabled. */
  state: InstanceState | null
  evaluated_at: string | null
  duration_ms: number | null
  /** What the last evaluation failed at, in a sentence. */
  error: string | null
  /** How far the happenings of its events were looked at; JSON, null where it has no events. */
  seen: string | null
  created_by: string
}

/** What a rule names of other areas. */
export interface RuleUseRow {
  rule_id: string
  resource_type: string
  resource_id: string
}

export interface InstanceRow {
  rule_id: string
  /** The label set as JSON, ordered by name. */
  labels: string
  state: InstanceState
  since_ms: number
  met_since_ms: number | null
  clear_since_ms: number | null
  lack_since_ms: number | null
  missed: number
  is_quiet: number
  /** A number as text, since columns hold whole numbers only. */
  value: string | null
  cause: string | null
  /** The alert that is open. */
  alert_id: string | null
}

/** One time that an instance fired, from its beginning to its end. */
export interface AlertRow {
  id: string
  rule_id: string
  rule_name: string
  labels: string
  annotations: string
  severity: Severity
  state: AlertState
  value: string | null
  threshold: string | null
  operator: string | null
  cause: string | null
  started_at: string
  acknowledged_at: string | null
  acknowledged_by: string | null
  acknowledged_until: string | null
  note: string | null
  resolved_at: string | null
  resolved_by: string | null
  resolve_reason: string | null
  /** When others are told, unless somebody has taken it on by then. */
  escalate_ms: number | null
  /** The last step that was taken. */
  escalation_step: number
  version: number
}

/** The labels of alerts once more, to find alerts by. */
export interface AlertLabelRow {
  alert_id: string
  name: string
  value: string
}

export const alertMigrations: readonly Migration[] = [
  {
    id: 'alerts/001-rules',
    async up(db, type) {
      await db.schema
        .createTable('alert_rules')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('definition', type.text, (column) => column.notNull())
        .addColumn('severity', type.text, (column) => column.notNull())
        .addColumn('enabled', type.integer, (column) => column.notNull())
        .addColumn('reads_sql', type.integer, (column) => column.notNull())
        .addColumn('interval_ms', type.integer, (column) => column.notNull())
        .addColumn('phase_ms', type.integer, (column) => column.notNull())
        .addColumn('next_ms', type.integer, (column) => column.notNull())
        .addColumn('state', type.text)
        .addColumn('evaluated_at', type.text)
        .addColumn('duration_ms', type.integer)
        .addColumn('error', type.text)
        .addColumn('seen', type.text)
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('alert_rules_due')
        .on('alert_rules')
        .columns(['enabled', 'reads_sql', 'next_ms'])
        .execute()
      await db.schema.createIndex('alert_rules_by_state').on('alert_rules').columns(['enabled', 'state']).execute()
      await db.schema
        .createTable('alert_rule_uses')
        .addColumn('rule_id', type.text, (column) => column.notNull().references('alert_rules.id').onDelete('cascade'))
        .addColumn('resource_type', type.text, (column) => column.notNull())
        .addColumn('resource_id', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('alert_rule_uses_pk', ['rule_id', 'resource_type', 'resource_id'])
        .execute()
      await db.schema
        .createIndex('alert_rule_uses_by_resource')
        .on('alert_rule_uses')
        .columns(['resource_type', 'resource_id', 'rule_id'])
        .execute()
    }
  },
  {
    id: 'alerts/002-instances-and-history',
    async up(db, type) {
      await db.schema
        .createTable('alert_instances')
        .addColumn('rule_id', type.text, (column) => column.notNull().references('alert_rules.id').onDelete('cascade'))
        .addColumn('labels', type.text, (column) => column.notNull())
        .addColumn('state', type.text, (column) => column.notNull())
        .addColumn('since_ms', type.integer, (column) => column.notNull())
        .addColumn('met_since_ms', type.integer)
        .addColumn('clear_since_ms', type.integer)
        .addColumn('lack_since_ms', type.integer)
        .addColumn('missed', type.integer, (column) => column.notNull())
        .addColumn('is_quiet', type.integer, (column) => column.notNull())
        .addColumn('value', type.text)
        .addColumn('cause', type.text)
        .addColumn('alert_id', type.text)
        .addPrimaryKeyConstraint('alert_instances_pk', ['rule_id', 'labels'])
        .execute()
      await db.schema
        .createTable('alerts')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('rule_id', type.text, (column) => column.notNull())
        .addColumn('rule_name', type.text, (column) => column.notNull())
        .addColumn('labels', type.text, (column) => column.notNull())
        .addColumn('annotations', type.text, (column) => column.notNull())
        .addColumn('severity', type.text, (column) => column.notNull())
        .addColumn('state', type.text, (column) => column.notNull())
        .addColumn('value', type.text)
        .addColumn('threshold', type.text)
        .addColumn('operator', type.text)
        .addColumn('cause', type.text)
        .addColumn('started_at', type.text, (column) => column.notNull())
        .addColumn('acknowledged_at', type.text)
        .addColumn('acknowledged_by', type.text)
        .addColumn('acknowledged_until', type.text)
        .addColumn('note', type.text)
        .addColumn('resolved_at', type.text)
        .addColumn('resolved_by', type.text)
        .addColumn('resolve_reason', type.text)
        .addColumn('escalate_ms', type.integer)
        .addColumn('escalation_step', type.integer, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('alert_labels')
        .addColumn('alert_id', type.text, (column) => column.notNull().references('alerts.id').onDelete('cascade'))
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('value', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('alert_labels_pk', ['alert_id', 'name'])
        .execute()
      await db.schema.createIndex('alert_labels_by_value').on('alert_labels').columns(['name', 'value']).execute()
      await db.schema.createIndex('alerts_by_state').on('alerts').columns(['state', 'id']).execute()
      await db.schema.createIndex('alerts_by_rule').on('alerts').columns(['rule_id', 'id']).execute()
      await db.schema.createIndex('alerts_by_start').on('alerts').columns(['started_at', 'id']).execute()
      await db.schema.createIndex('alerts_by_end').on('alerts').column('resolved_at').execute()
      await db.schema.createIndex('alerts_to_escalate').on('alerts').column('escalate_ms').execute()
      await db.schema.createIndex('alerts_acknowledged').on('alerts').columns(['state', 'acknowledged_until']).execute()
    }
  },
  ...notificationMigrations,
  ...silenceMigrations
]
