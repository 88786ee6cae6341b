import { type Kysely, sql } from 'kysely'
import { type Db, hasRows, type Migration } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    schedules: ScheduleRow
    schedule_runs: RunRow
    schedule_uses: UseRow
  }
}

export const OVERLAPS = ['skip', 'queue', 'allow', 'cancel'] as const
export type Overlap = (typeof OVERLAPS)[number]
export const CATCH_UPS = ['none', 'last', 'all'] as const
export type CatchUp = (typeof CATCH_UPS)[number]

export interface ScheduleRow extends Stamps {
  id: string
  name: string
  description: string
  /** JSON of a `Timing`. */
  timing: string
  target_type: string
  target_id: string | null
  /** JSON, with secrets masked. */
  target_config: string
  /** The secrets by their names, sealed; null where there are none. */
  target_secrets: string | null
  overlap: Overlap
  catch_up: CatchUp
  catch_up_window: string
  jitter_seconds: number
  retries: number
  retry_delay_seconds: number
  timeout_seconds: number
  pause_after_failures: number | null
  enabled: number
  /** JSON of a `Pause`; null while it is enabled. */
  pause: string | null
  /** Who made or last changed it: it runs with the rights that this user has then. */
  owner_id: string
  /** The due time that comes next; null where there is none any more. */
  next_due_at: string | null
  /** That due time with its jitter. */
  next_fire_at: string | null
  previous_due_at: string | null
  /** Runs that failed one after the other. */
  failures: number
  /** The run that ended last. */
  last_run_id: string | null
}

export const RUN_KINDS = ['due', 'manual', 'backfill'] as const
export type RunKind = (typeof RUN_KINDS)[number]
export const OPEN_STATES = ['queued', 'running'] as const
export const RUN_STATES = [...OPEN_STATES, 'succeeded', 'failed', 'skipped', 'missed', 'timedOut', 'cancelled'] as const
export type RunState = (typeof RUN_STATES)[number]

/** One due time of a schedule, and what became of it. */
export interface RunRow {
  id: string
  schedule_id: string
  due_at: string
  kind: RunKind
  /** Whether it is caught up on: it was missed at its time. */
  caught_up: number
  backfill_id: string | null
  /** `running` only of what goes on by itself; while its job has it in hand, the job says so. */
  state: RunState
  /** Why: stable, for programs. */
  code: string | null
  /** Why, in words. */
  reason: string | null
  /** Attempts that ended, those cut off by the end of a server not counted. */
  attempts: number
  next_attempt_at: string | null
  /** What carries it out; null while it waits its turn, or goes on by itself. */
  job_id: string | null
  /** What its target has begun. */
  link: string | null
  /** JSON of `{code, reason}` once somebody wants it to end. */
  cancel: string | null
  /** When it has to be over, of what goes on by itself. */
  timeout_at: string | null
  started_at: string | null
  finished_at: string | null
  /** JSON array of lines. */
  logs: string | null
  /** Due times that this row stands for: 1, but for the sum of a long gap. */
  count: number
  /** The last due time that it stands for, of such a sum. */
  due_until: string | null
  /** Who asked for it, of runs by hand. */
  asked_by: string | null
  created_at: string
}

/** A resource that the target of a schedule names. */
interface UseRow {
  schedule_id: string
  resource_type: string
  resource_id: string
}

export const schedulerMigrations: readonly Migration[] = [
  {
    id: 'scheduler/001-schedules',
    async up(db, type) {
      await db.schema
        .createTable('schedules')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('timing', type.text, (column) => column.notNull())
        .addColumn('target_type', type.text, (column) => column.notNull())
        .addColumn('target_id', type.text)
        .addColumn('target_config', type.text, (column) => column.notNull())
        .addColumn('target_secrets', type.text)
        .addColumn('overlap', type.text, (column) => column.notNull())
        .addColumn('catch_up', type.text, (column) => column.notNull())
        .addColumn('catch_up_window', type.text, (column) => column.notNull())
        .addColumn('jitter_seconds', type.integer, (column) => column.notNull())
        .addColumn('retries', type.integer, (column) => column.notNull())
        .addColumn('retry_delay_seconds', type.integer, (column) => column.notNull())
        .addColumn('timeout_seconds', type.integer, (column) => column.notNull())
        .addColumn('pause_after_failures', type.integer)
        .addColumn('enabled', type.integer, (column) => column.notNull())
        .addColumn('pause', type.text)
        .addColumn('owner_id', type.text, (column) => column.notNull())
        .addColumn('next_due_at', type.text)
        .addColumn('next_fire_at', type.text)
        .addColumn('previous_due_at', type.text)
        .addColumn('failures', type.integer, (column) => column.notNull())
        .addColumn('last_run_id', type.text)
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('schedules_next')
        .on('schedules')
        .columns(['next_fire_at', 'id'])
        .where(sql<boolean>`next_fire_at is not null`)
        .execute()
      await db.schema.createIndex('schedules_target').on('schedules').columns(['target_id', 'id']).execute()
    }
  },
  {
    id: 'scheduler/002-runs',
    async up(db, type) {
      await db.schema
        .createTable('schedule_runs')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('schedule_id', type.text, (column) => column.notNull().references('schedules.id'))
        .addColumn('due_at', type.text, (column) => column.notNull())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('caught_up', type.integer, (column) => column.notNull())
        .addColumn('backfill_id', type.text)
        .addColumn('state', type.text, (column) => column.notNull())
        .addColumn('code', type.text)
        .addColumn('reason', type.text)
        .addColumn('attempts', type.integer, (column) => column.notNull())
        .addColumn('next_attempt_at', type.text)
        .addColumn('job_id', type.text)
        .addColumn('link', type.text)
        .addColumn('cancel', type.text)
        .addColumn('timeout_at', type.text)
        .addColumn('started_at', type.text)
        .addColumn('finished_at', type.text)
        .addColumn('logs', type.text)
        .addColumn('count', type.integer, (column) => column.notNull())
        .addColumn('due_until', type.text)
        .addColumn('asked_by', type.text)
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      const index = (name: string) => db.schema.createIndex(name).on('schedule_runs')
      const isOpen = sql<boolean>`state in ('queued', 'running')`
      await index('schedule_runs_due')
        .unique()
        .columns(['schedule_id', 'due_at'])
        .where(sql<boolean>`kind = 'due'`)
        .execute()
      await index('schedule_runs_history').columns(['schedule_id', 'due_at', 'id']).execute()
      await index('schedule_runs_all').columns(['due_at', 'id']).execute()
      await index('schedule_runs_state').columns(['state', 'due_at', 'id']).execute()
      await index('schedule_runs_open').columns(['schedule_id', 'due_at']).where(isOpen).execute()
      await index('schedule_runs_job').columns(['job_id']).where(sql<boolean>`job_id is not null`).execute()
      await index('schedule_runs_going').columns(['due_at', 'id']).where(sql<boolean>`state = 'running'`).execute()
      await index('schedule_runs_finished').columns(['finished_at']).execute()
    }
  },
  {
    id: 'scheduler/003-uses',
    async up(db, type) {
      await db.schema
        .createTable('schedule_uses')
        .addColumn('schedule_id', type.text, (column) =>
          column.notNull().references('schedules.id').onDelete('cascade')
        )
        .addColumn('resource_type', type.text, (column) => column.notNull())
        .addColumn('resource_id', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('schedule_uses_pk', ['schedule_id', 'resource_type', 'resource_id'])
        .execute()
      await db.schema
        .createIndex('schedule_uses_by_resource')
        .on('schedule_uses')
        .columns(['resource_type', 'resource_id', 'schedule_id'])
        .execute()
      await writeOldUses(db)
    }
  },
  {
    id: 'scheduler/004-trouble',
    async up(db) {
      const ofSchedules = (name: string) => db.schema.createIndex(name).on('schedules').columns(['id'])
      await ofSchedules('schedules_failing').where(sql<boolean>`failures > 0`).execute()
      await ofSchedules('schedules_disabled').where(sql<boolean>`enabled = 0`).execute()
      const ofRuns = (name: string) =>
        db.schema.createIndex(name).on('schedule_runs').columns(['state', 'finished_at', 'schedule_id'])
      await ofRuns('schedule_runs_failed').where(sql<boolean>`state in ('failed', 'timedOut')`).execute()
      await ofRuns('schedule_runs_missed').where(sql<boolean>`state = 'missed'`).execute()
    }
  }
]

async function writeOldUses(database: Kysely<unknown>): Promise<void> {
  if (!(await hasRows((database as Db).selectFrom('schedules')))) return
  await (await import('./schedules/old-uses.ts')).findOldUses(database)
}
