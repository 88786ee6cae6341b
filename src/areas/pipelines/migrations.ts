import { type Kysely, sql } from 'kysely'
import { type Db, hasRows, type Migration, type Tables } from '../../engines/metadata/index.ts'

export const pipelineMigrations: readonly Migration[] = [
  {
    id: 'pipelines/001-pipelines',
    async up(db, type) {
      await db.schema
        .createTable('pipelines')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('status', type.text, (column) => column.notNull())
        .addColumn('error', type.text)
        .addColumn('node_count', type.integer, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('run_id', type.text)
        .addColumn('run_count', type.integer, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('pipeline_versions')
        .addColumn('pipeline_id', type.text, (column) =>
          column.notNull().references('pipelines.id').onDelete('cascade')
        )
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('nodes', type.text, (column) => column.notNull())
        .addColumn('secrets', type.text)
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('pipeline_versions_pk', ['pipeline_id', 'version'])
        .execute()
      await db.schema
        .createTable('pipeline_runs')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('pipeline_id', type.text, (column) =>
          column.notNull().references('pipelines.id').onDelete('cascade')
        )
        .addColumn('number', type.integer, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('status', type.text, (column) => column.notNull())
        .addColumn('owner', type.text)
        .addColumn('fence', type.integer, (column) => column.notNull())
        .addColumn('failures', type.integer, (column) => column.notNull())
        .addColumn('due_ms', type.integer, (column) => column.notNull())
        .addColumn('ledger', type.text, (column) => column.notNull())
        .addColumn('nodes', type.text, (column) => column.notNull())
        .addColumn('error', type.text)
        .addColumn('started_by', type.text, (column) => column.notNull())
        .addColumn('started_at', type.text, (column) => column.notNull())
        .addColumn('ended_at', type.text)
        .execute()
      await db.schema
        .createIndex('pipeline_runs_by_pipeline')
        .on('pipeline_runs')
        .columns(['pipeline_id', 'id'])
        .execute()
      await db.schema.createIndex('pipeline_runs_by_status').on('pipeline_runs').columns(['status', 'owner']).execute()
      await db.schema
        .createTable('pipeline_checkpoints')
        .addColumn('pipeline_id', type.text, (column) =>
          column.primaryKey().references('pipelines.id').onDelete('cascade')
        )
        .addColumn('run_id', type.text, (column) => column.notNull())
        .addColumn('checkpoint', type.text, (column) => column.notNull())
        .addColumn('committed_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('pipeline_owners')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('seen_ms', type.integer, (column) => column.notNull())
        .execute()
    }
  },
  {
    id: 'pipelines/002-dead-letters-and-logs',
    async up(db, type) {
      await db.schema
        .createTable('pipeline_dead_letters')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('pipeline_id', type.text, (column) =>
          column.notNull().references('pipelines.id').onDelete('cascade')
        )
        .addColumn('run_id', type.text, (column) => column.notNull())
        .addColumn('node_id', type.text, (column) => column.notNull())
        .addColumn('code', type.text, (column) => column.notNull())
        .addColumn('reason', type.text, (column) => column.notNull())
        .addColumn('record', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('replayed_at', type.text)
        .execute()
      await db.schema
        .createIndex('pipeline_dead_letters_by_pipeline')
        .on('pipeline_dead_letters')
        .columns(['pipeline_id', 'id'])
        .execute()
      await db.schema
        .createTable('pipeline_logs')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('pipeline_id', type.text, (column) =>
          column.notNull().references('pipelines.id').onDelete('cascade')
        )
        .addColumn('run_id', type.text, (column) => column.notNull())
        .addColumn('level', type.text, (column) => column.notNull())
        .addColumn('node_id', type.text)
        .addColumn('message', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('pipeline_logs_by_pipeline')
        .on('pipeline_logs')
        .columns(['pipeline_id', 'id'])
        .execute()
    }
  },
  {
    id: 'pipelines/003-dead-letters-to-work-with',
    async up(db, type) {
      for (const column of ['input_id', 'columns', 'origin', 'record_rest']) {
        await db.schema.alterTable('pipeline_dead_letters').addColumn(column, type.text).execute()
      }
      await db.schema.alterTable('pipeline_dead_letters').addColumn('size_chars', type.integer).execute()
      await db.schema
        .createIndex('pipeline_dead_letters_waiting')
        .on('pipeline_dead_letters')
        .columns(['pipeline_id', 'replayed_at', 'node_id', 'code', 'id'])
        .execute()
      await db.schema.alterTable('pipelines').addColumn('letters_upto', type.text).execute()
      await db.schema.alterTable('pipeline_runs').addColumn('replay', type.text).execute()
      await db.schema.alterTable('pipeline_checkpoints').addColumn('version', type.integer).execute()
      await db.schema
        .createTable('pipeline_letter_counts')
        .addColumn('pipeline_id', type.text, (column) =>
          column.notNull().references('pipelines.id').onDelete('cascade')
        )
        .addColumn('node_id', type.text, (column) => column.notNull())
        .addColumn('code', type.text, (column) => column.notNull())
        .addColumn('waiting', type.integer, (column) => column.notNull())
        .addColumn('size_chars', type.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('pipeline_letter_counts_pk', ['pipeline_id', 'node_id', 'code'])
        .execute()
      await countLetters(db as Kysely<Tables>)
    }
  },
  {
    id: 'pipelines/004-uses',
    async up(db, type) {
      await db.schema
        .createTable('pipeline_uses')
        .addColumn('pipeline_id', type.text, (column) =>
          column.notNull().references('pipelines.id').onDelete('cascade')
        )
        .addColumn('resource_type', type.text, (column) => column.notNull())
        .addColumn('resource_id', type.text, (column) => column.notNull())
        .addColumn('resource_version', type.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('pipeline_uses_pk', [
          'pipeline_id',
          'resource_type',
          'resource_id',
          'resource_version'
        ])
        .execute()
      await db.schema
        .createIndex('pipeline_uses_by_resource')
        .on('pipeline_uses')
        .columns(['resource_type', 'resource_id', 'pipeline_id'])
        .execute()
      await writeOldUses(db)
    }
  },
  {
    id: 'pipelines/005-run-warnings',
    async up(db, type) {
      await db.schema.alterTable('pipeline_runs').addColumn('warnings', type.text).execute()
    }
  },
  {
    id: 'pipelines/006-states',
    async up(db) {
      // Those who watch count them all the time, and the rows are long.
      await db.schema.createIndex('pipelines_by_status').on('pipelines').column('status').execute()
    }
  },
  {
    id: 'pipelines/007-ended-runs',
    async up(db) {
      // Alert rules ask again and again which runs have failed since the last time.
      await db.schema.createIndex('pipeline_runs_by_end').on('pipeline_runs').columns(['status', 'ended_at']).execute()
    }
  }
]

/** What was kept before dead letters were counted. */
async function countLetters(db: Kysely<Tables>): Promise<void> {
  await sql`update pipeline_dead_letters set size_chars = length(record)`.execute(db)
  await sql`update pipelines set letters_upto =
    (select max(id) from pipeline_dead_letters where pipeline_id = pipelines.id)`.execute(db)
  await sql`insert into pipeline_letter_counts (pipeline_id, node_id, code, waiting, size_chars)
    select pipeline_id, node_id, code, count(*), sum(size_chars) from pipeline_dead_letters
    where replayed_at is null group by pipeline_id, node_id, code`.execute(db)
}

/** Where there are no pipelines, the types of nodes need not be loaded, which it takes to tell what pipelines use. */
async function writeOldUses(database: Kysely<unknown>): Promise<void> {
  const db = database as Db
  if (!(await hasRows(db.selectFrom('pipelines')))) return
  await (await import('./definition/old-uses.ts')).findOldUses(database)
}
