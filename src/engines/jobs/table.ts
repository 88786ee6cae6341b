import { type Generated, type Kysely, sql } from 'kysely'
import type { Migration } from '../metadata/index.ts'
import type { JobState } from './index.ts'

export interface JobsTable {
  id: string
  kind: string
  unique_key: string | null
  state: JobState
  payload: string
  run_at: string
  /** Set on the single row of a recurring kind, which never finishes. */
  every_ms: number | null
  attempts: Generated<number>
  max_attempts: number
  timeout_ms: number
  deadline_at: string | null
  /** Rises with each claim: of two runs of a job, the one with the lower number has lost it. */
  fence: Generated<number>
  lease_owner: string | null
  lease_until: string | null
  cancel_requested: Generated<number>
  progress_permille: Generated<number>
  progress_note: string | null
  result: string | null
  error: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}

declare module '../metadata/index.ts' {
  interface Tables {
    jobs: JobsTable
  }
}

const jobsTable: Migration = {
  id: 'jobs/001-jobs',
  async up(db, type) {
    await db.schema
      .createTable('jobs')
      .addColumn('id', type.text, (column) => column.primaryKey())
      .addColumn('kind', type.text, (column) => column.notNull())
      .addColumn('unique_key', type.text)
      .addColumn('state', type.text, (column) => column.notNull())
      .addColumn('payload', type.text, (column) => column.notNull())
      .addColumn('run_at', type.text, (column) => column.notNull())
      .addColumn('every_ms', type.integer)
      .addColumn('attempts', type.integer, (column) => column.notNull().defaultTo(0))
      .addColumn('max_attempts', type.integer, (column) => column.notNull())
      .addColumn('timeout_ms', type.integer, (column) => column.notNull())
      .addColumn('deadline_at', type.text)
      .addColumn('fence', type.integer, (column) => column.notNull().defaultTo(0))
      .addColumn('lease_owner', type.text)
      .addColumn('lease_until', type.text)
      .addColumn('cancel_requested', type.integer, (column) => column.notNull().defaultTo(0))
      .addColumn('progress_permille', type.integer, (column) => column.notNull().defaultTo(0))
      .addColumn('progress_note', type.text)
      .addColumn('result', type.text)
      .addColumn('error', type.text)
      .addColumn('created_at', type.text, (column) => column.notNull())
      .addColumn('started_at', type.text)
      .addColumn('finished_at', type.text)
      .execute()

    await createIndexes(db)
  }
}

/** Each index holds only the rows of its query, so that finished jobs cost nothing. */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string) => db.schema.createIndex(name).on('jobs')
  await index('jobs_queued').columns(['kind', 'run_at', 'id']).where(sql<boolean>`state = 'queued'`).execute()
  await index('jobs_waiting').columns(['run_at']).where(sql<boolean>`state = 'queued' and every_ms is null`).execute()
  await index('jobs_running').columns(['lease_until']).where(sql<boolean>`state = 'running'`).execute()
  await index('jobs_deadline')
    .columns(['deadline_at'])
    .where(sql<boolean>`state = 'queued' and deadline_at is not null`)
    .execute()
  await index('jobs_key')
    .unique()
    .columns(['kind', 'unique_key'])
    .where(sql<boolean>`finished_at is null and unique_key is not null`)
    .execute()
  await index('jobs_finished').columns(['finished_at']).where(sql<boolean>`finished_at is not null`).execute()
}

/** For health and metrics: failed and failing jobs are few among many. */
const troubleIndexes: Migration = {
  id: 'jobs/002-trouble',
  async up(db) {
    const index = (name: string) => db.schema.createIndex(name).on('jobs')
    await index('jobs_failed').columns(['finished_at']).where(sql<boolean>`state = 'failed'`).execute()
    await index('jobs_failing')
      .columns(['kind', 'every_ms', 'attempts'])
      .where(sql<boolean>`finished_at is null and error is not null`)
      .execute()
  }
}

export const jobMigrations: Migration[] = [jobsTable, troubleIndexes]

// Written into the statement rather than bound, so that a plan may use a partial index whatever else is bound.
export const QUEUED = sql.lit('queued' as const)
export const RUNNING = sql.lit('running' as const)
export const FAILED = sql.lit('failed' as const)
