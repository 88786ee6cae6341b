import type { Kysely } from 'kysely'
import type { Migration, Tables } from '../../engines/metadata/index.ts'
import { GENESIS, MAX_LANES } from './chain.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    audit_logs: AuditRow
    audit_heads: AuditHeadRow
    audit_checkpoints: CheckpointRow
  }
}

export interface AuditRow {
  lane: number
  seq: number
  id: string
  time: string
  user_id: string | null
  user_name: string | null
  action: string
  resource_type: string
  resource_id: string | null
  outcome: string
  status: number
  code: string | null
  ip: string
  user_agent: string | null
  request_id: string
  /** JSON object, or null. */
  changes: string | null
  /** The API key of the call, if any, and its name at that time. */
  api_key_id: string | null
  api_key_name: string | null
  previous_hash: string
  hash: string
}

/** The end of each lane's chain. `code` proves that this server wrote it. */
export interface AuditHeadRow {
  lane: number
  seq: number
  hash: string
  code: string
}

export interface CheckpointRow {
  lane: number
  seq: number
  hash: string
  time: string
  signature: string
}

export const auditMigrations: readonly Migration[] = [
  {
    id: 'audit/001-audit',
    async up(db, type) {
      await db.schema
        .createTable('audit_logs')
        .addColumn('lane', type.integer, (column) => column.notNull())
        .addColumn('seq', type.integer, (column) => column.notNull())
        .addColumn('id', type.text, (column) => column.notNull().unique())
        .addColumn('time', type.text, (column) => column.notNull())
        .addColumn('user_id', type.text)
        .addColumn('user_name', type.text)
        .addColumn('action', type.text, (column) => column.notNull())
        .addColumn('resource_type', type.text, (column) => column.notNull())
        .addColumn('resource_id', type.text)
        .addColumn('outcome', type.text, (column) => column.notNull())
        .addColumn('status', type.integer, (column) => column.notNull())
        .addColumn('code', type.text)
        .addColumn('ip', type.text, (column) => column.notNull())
        .addColumn('user_agent', type.text)
        .addColumn('request_id', type.text, (column) => column.notNull())
        .addColumn('changes', type.text)
        .addColumn('previous_hash', type.text, (column) => column.notNull())
        .addColumn('hash', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('audit_logs_pk', ['lane', 'seq'])
        .execute()
      await db.schema.createIndex('audit_logs_user').on('audit_logs').columns(['user_id', 'id']).execute()
      await db.schema
        .createIndex('audit_logs_resource')
        .on('audit_logs')
        .columns(['resource_type', 'resource_id', 'id'])
        .execute()
      await db.schema
        .createTable('audit_heads')
        .addColumn('lane', type.integer, (column) => column.primaryKey())
        .addColumn('seq', type.integer, (column) => column.notNull())
        .addColumn('hash', type.text, (column) => column.notNull())
        .addColumn('code', type.text, (column) => column.notNull())
        .execute()
      const heads = Array.from({ length: MAX_LANES }, (_, lane) => ({ lane, seq: 0, hash: GENESIS, code: '' }))
      await (db as unknown as Kysely<Tables>).insertInto('audit_heads').values(heads).execute()
      await db.schema
        .createTable('audit_checkpoints')
        .addColumn('lane', type.integer, (column) => column.notNull())
        .addColumn('seq', type.integer, (column) => column.notNull())
        .addColumn('hash', type.text, (column) => column.notNull())
        .addColumn('time', type.text, (column) => column.notNull())
        .addColumn('signature', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('audit_checkpoints_pk', ['lane', 'seq'])
        .execute()
    }
  },
  {
    id: 'audit/002-api-keys',
    async up(db, type) {
      await db.schema.alterTable('audit_logs').addColumn('api_key_id', type.text).execute()
      await db.schema.alterTable('audit_logs').addColumn('api_key_name', type.text).execute()
      await db.schema
        .createIndex('audit_logs_api_key')
        .on('audit_logs')
        .columns(['api_key_id', 'id'])
        .where('api_key_id', 'is not', null)
        .execute()
    }
  }
]
