import type { Kysely } from 'kysely'
import type { Migration, Tables } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'
import type { ShapeKind } from './drift/shape.ts'
import type { Cause, Dimension, RuleType, RunKind, Severity, Status } from './words.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    quality_rules: RuleRow
    quality_rule_uses: RuleUseRow
    quality_rule_triggers: RuleTriggerRow
    quality_results: ResultRow
    quality_scores: ScoreRow
    quality_baselines: BaselineRow
    quality_measurements: MeasurementRow
    quality_runs: RunRow
  }
}

export interface RuleRow extends Stamps {
  id: string
  name: string
  description: string
  dataset: string
  type: RuleType
  /** JSON: configuration, thresholds and triggers. */
  definition: string
  severity: Severity
  dimension: Dimension
  enabled: number
  /** Of the last evaluation; null before the first. */
  status: Status | null
  /** Since when it is so. */
  status_since: string | null
  evaluated_at: string | null
  result_id: string | null
  /** When data failed it that have not passed since: an evaluation that could not be carried out mends nothing. */
  failing_since: string | null
  /** Of a rule that fails: what was downstream of the data when it began to, in words. */
  downstream: string
  created_by: string
  /** JSON: what is odd about the last measurement, since when, and what was expected; null where nothing is. */
  anomaly: string | null
  anomalous_since: string | null
}

/** What a rule names of other areas. */
export interface RuleUseRow {
  rule_id: string
  resource_type: string
  resource_id: string
}

/** What has a rule evaluated by itself. */
export interface RuleTriggerRow {
  rule_id: string
  trigger: 'pipeline' | 'object'
  /** The pipeline or the bucket. */
  owner: string
  dataset: string
  /** When something happened that the rule has not been evaluated after; a number, so that it can be compared. */
  wanted_ms: number | null
}

export interface ResultRow {
  id: string
  rule_id: string
  rule_name: string
  /** The same for all results of one evaluation. */
  evaluation_id: string
  cause: Cause
  dataset: string
  status: Status
  severity: Severity
  dimension: Dimension
  /** JSON: what was measured, and which rows failed. */
  outcome: string
  evaluated_at: string
}

/** The score of a dataset after an evaluation that changed it. */
export interface ScoreRow {
  id: string
  dataset: string
  /** Ten-thousandths, since columns hold whole numbers; null where no rule could be evaluated. */
  score: number | null
  /** JSON: dimensions, counts, and the rules that moved it. */
  facts: string
  at: string
  /** 1 for the newest of a dataset. */
  is_newest: number
}

/** How the values of a column were distributed at a time. It never changes. */
export interface BaselineRow {
  id: string
  /** The rule that has made it for itself; null where somebody has asked for it. */
  rule_id: string | null
  dataset: string
  column_name: string
  kind: ShapeKind
  /** The condition in SQL for the rows that it is of; empty for all. */
  condition: string
  /** Rows that had a value. */
  row_count: number
  /** JSON: cells and counts; sealed where the column was confidential. */
  shape: string
  is_sealed: number
  created_by: string
  created_at: string
}

/** What an evaluation has measured: the history in which anomalies are looked for. */
export interface MeasurementRow {
  /** The result. */
  id: string
  rule_id: string
  /** A number as a text, since columns hold whole numbers. */
  value: string
  at_ms: number
  /** 1 where it is odd by itself, 2 where it is odd together with those before it, else 0. */
  oddity: number
}

/** Something that is under way. It is deleted when it has ended. */
export interface RunRow {
  /** Of an evaluation, the one that its results have. */
  id: string
  /** The process that carries it out. */
  owner: string
  kind: RunKind
  dataset: string
  cause: Cause
  started_by: string | null
  started_at: string
  /** JSON: how far it is. */
  progress: string
  /** When its owner last said so. */
  seen_at: string
  /** The user who has cancelled it, with the name then. */
  cancelled_by: string | null
  cancelled_name: string | null
  cancelled_at: string | null
}

export const qualityMigrations: readonly Migration[] = [
  {
    id: 'quality/001-rules',
    async up(db, type) {
      await db.schema
        .createTable('quality_rules')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('dataset', type.text, (column) => column.notNull())
        .addColumn('type', type.text, (column) => column.notNull())
        .addColumn('definition', type.text, (column) => column.notNull())
        .addColumn('severity', type.text, (column) => column.notNull())
        .addColumn('dimension', type.text, (column) => column.notNull())
        .addColumn('enabled', type.integer, (column) => column.notNull())
        .addColumn('status', type.text)
        .addColumn('status_since', type.text)
        .addColumn('evaluated_at', type.text)
        .addColumn('result_id', type.text)
        .addColumn('downstream', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('quality_rules_dataset').on('quality_rules').columns(['dataset', 'id']).execute()
      await db.schema
        .createIndex('quality_rules_status')
        .on('quality_rules')
        .columns(['status', 'enabled', 'id'])
        .execute()
      await db.schema
        .createTable('quality_rule_uses')
        .addColumn('rule_id', type.text, (column) => column.notNull())
        .addColumn('resource_type', type.text, (column) => column.notNull())
        .addColumn('resource_id', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('quality_rule_uses_key', ['resource_type', 'resource_id', 'rule_id'])
        .execute()
      await db.schema.createIndex('quality_rule_uses_rule').on('quality_rule_uses').columns(['rule_id']).execute()
      await db.schema
        .createTable('quality_rule_triggers')
        .addColumn('rule_id', type.text, (column) => column.notNull())
        .addColumn('trigger', type.text, (column) => column.notNull())
        .addColumn('owner', type.text, (column) => column.notNull())
        .addColumn('dataset', type.text, (column) => column.notNull())
        .addColumn('wanted_ms', type.integer)
        .addPrimaryKeyConstraint('quality_rule_triggers_key', ['rule_id', 'trigger'])
        .execute()
      await db.schema
        .createIndex('quality_rule_triggers_owner')
        .on('quality_rule_triggers')
        .columns(['trigger', 'owner', 'dataset'])
        .execute()
      await db.schema
        .createIndex('quality_rule_triggers_wanted')
        .on('quality_rule_triggers')
        .columns(['wanted_ms', 'dataset'])
        .execute()
    }
  },
  {
    id: 'quality/002-results',
    async up(db, type) {
      await db.schema
        .createTable('quality_results')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('rule_id', type.text, (column) => column.notNull())
        .addColumn('rule_name', type.text, (column) => column.notNull())
        .addColumn('evaluation_id', type.text, (column) => column.notNull())
        .addColumn('cause', type.text, (column) => column.notNull())
        .addColumn('dataset', type.text, (column) => column.notNull())
        .addColumn('status', type.text, (column) => column.notNull())
        .addColumn('severity', type.text, (column) => column.notNull())
        .addColumn('dimension', type.text, (column) => column.notNull())
        .addColumn('outcome', type.text, (column) => column.notNull())
        .addColumn('evaluated_at', type.text, (column) => column.notNull())
        .execute()
      for (const by of ['rule_id', 'dataset', 'status', 'evaluation_id']) {
        await db.schema
          .createIndex(`quality_results_${by}`)
          .on('quality_results')
          .columns([by, 'evaluated_at', 'id'])
          .execute()
      }
      await db.schema.createIndex('quality_results_at').on('quality_results').columns(['evaluated_at', 'id']).execute()
      await db.schema
        .createTable('quality_scores')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('dataset', type.text, (column) => column.notNull())
        .addColumn('score', type.integer)
        .addColumn('facts', type.text, (column) => column.notNull())
        .addColumn('at', type.text, (column) => column.notNull())
        .addColumn('is_newest', type.integer, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('quality_scores_dataset')
        .on('quality_scores')
        .columns(['dataset', 'at', 'id'])
        .execute()
      await db.schema
        .createIndex('quality_scores_newest')
        .on('quality_scores')
        .columns(['is_newest', 'dataset', 'id'])
        .execute()
      await db.schema.createIndex('quality_scores_at').on('quality_scores').columns(['is_newest', 'at', 'id']).execute()
    }
  },
  {
    id: 'quality/004-baselines',
    async up(db, type) {
      await db.schema
        .createTable('quality_baselines')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('rule_id', type.text, (column) => column.unique())
        .addColumn('dataset', type.text, (column) => column.notNull())
        .addColumn('column_name', type.text, (column) => column.notNull())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('condition', type.text, (column) => column.notNull())
        .addColumn('row_count', type.integer, (column) => column.notNull())
        .addColumn('shape', type.text, (column) => column.notNull())
        .addColumn('is_sealed', type.integer, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('quality_baselines_dataset')
        .on('quality_baselines')
        .columns(['dataset', 'id'])
        .execute()
      await db.schema
        .createTable('quality_measurements')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('rule_id', type.text, (column) => column.notNull())
        .addColumn('value', type.text, (column) => column.notNull())
        .addColumn('at_ms', type.integer, (column) => column.notNull())
        .addColumn('oddity', type.integer, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('quality_measurements_rule')
        .on('quality_measurements')
        .columns(['rule_id', 'at_ms', 'id'])
        .execute()
      await db.schema.alterTable('quality_rules').addColumn('failing_since', type.text).execute()
      await (db as unknown as Kysely<Tables>)
        .updateTable('quality_rules')
        .set((row) => ({ failing_since: row.ref('status_since') }))
        .where('status', '=', 'failed')
        .execute()
      await db.schema
        .createIndex('quality_rules_failing')
        .on('quality_rules')
        .columns(['failing_since', 'enabled', 'id'])
        .execute()
      await db.schema.alterTable('quality_rules').addColumn('anomaly', type.text).execute()
      await db.schema.alterTable('quality_rules').addColumn('anomalous_since', type.text).execute()
      await db.schema
        .createIndex('quality_rules_anomalous')
        .on('quality_rules')
        .columns(['anomalous_since', 'enabled', 'id'])
        .execute()
    }
  },
  {
    id: 'quality/005-runs',
    async up(db, type) {
      await db.schema
        .createTable('quality_runs')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('owner', type.text, (column) => column.notNull())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('dataset', type.text, (column) => column.notNull())
        .addColumn('cause', type.text, (column) => column.notNull())
        .addColumn('started_by', type.text)
        .addColumn('started_at', type.text, (column) => column.notNull())
        .addColumn('progress', type.text, (column) => column.notNull())
        .addColumn('seen_at', type.text, (column) => column.notNull())
        .addColumn('cancelled_by', type.text)
        .addColumn('cancelled_name', type.text)
        .addColumn('cancelled_at', type.text)
        .execute()
      await db.schema.createIndex('quality_runs_started').on('quality_runs').columns(['started_at', 'id']).execute()
    }
  }
]
