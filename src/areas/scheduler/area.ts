import './errors.ts'
import { resolve } from 'node:path'
import { type AreaNeeds, declareArea } from '../../area.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { wholeNumber } from '../../env-reading.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'schedule.created': { readonly id: string }
    'schedule.updated': { readonly id: string }
    'schedule.deleted': { readonly id: string }
    'schedule-run.created': { readonly id: string; readonly scheduleId: string }
    'schedule-backfill.created': { readonly id: string; readonly scheduleId: string }
    'schedule-run.ended': {
      readonly id: string
      readonly scheduleId: string
      readonly state: string
      readonly code: string | null
      readonly dueAt: string
    }
  }
}

declare module '../../config.ts' {
  interface Config {
    readonly scheduleHistoryDays: number
    /** Where schedules put backups; undefined where they make none. */
    readonly backupDir: string | undefined
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    scheduler: 'schedule'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    scheduler: 'read' | 'write'
  }
}

/** Runs that are under way at once in this process: those that are due, and those that are caught up on. */
const RUNS_AT_ONCE = 64
/** Calls wait more than they work; how many of them go to one host at once is limited where they are made. */
const CALLS_AT_ONCE = 1024
const RECOVERIES_AT_ONCE = 4

export const scheduler = declareArea({
  name: 'scheduler',
  about: 'Schedules: what is to be done when, and what became of every due time.',
  paths: ['/api/scheduler'],
  permissions: ['scheduler:read', 'scheduler:write'],
  settings: {
    scheduleHistoryDays: {
      name: 'SCHEDULE_HISTORY_DAYS',
      default: '90',
      about: 'Days that the history of schedules is kept',
      read: wholeNumber(1, 3650)
    },
    backupDir: {
      name: 'BACKUP_DIR',
      default: '',
      about: 'Folder for the backups that schedules make, best on another disk; without it they make none',
      read: (text) => (text === '' ? undefined : resolve(text))
    }
  },
  migrations: {
    ids: ['scheduler/001-schedules', 'scheduler/002-runs', 'scheduler/003-uses', 'scheduler/004-trouble'],
    load: async () => (await import('./migrations.ts')).schedulerMigrations
  },
  jobs: {
    'scheduler.run': { concurrency: RUNS_AT_ONCE },
    'scheduler.call': { concurrency: CALLS_AT_ONCE },
    'scheduler.recover': { concurrency: RECOVERIES_AT_ONCE },
    'scheduler.account': { concurrency: 1 },
    'scheduler.prune': { everyMs: 3600_000, isNeeded: (db) => hasRows(db.selectFrom('schedules')) }
  },
  // Due times come whether anybody asks or not; where there may be other replicas, theirs too.
  startsEarly: async ({ config, metadata }) =>
    config.databaseUrl !== undefined || (await hasRows(metadata.db.selectFrom('schedules'))),
  findUsers: async (...asked) => (await import('./schedules/uses.ts')).usersOf(...asked),
  scheduleTargets: {
    http: async (needs) => (await import('./targets/http.ts')).httpTarget(needs),
    sql: async (needs) => (await import('./targets/sql.ts')).sqlTarget(needs),
    backup: async (needs) => (await import('./targets/backup.ts')).backupTarget(needs)
  },
  checks: (needs) => [{ name: 'scheduler', vital: false, run: () => checkScheduler(needs) }],
  metrics: (needs) => [
    {
      name: 'scheduler',
      render: async () => (await import('./metrics.ts')).renderSchedulerMetrics(needs, needs.loaded('scheduler'))
    }
  ],
  examine: async (installation) => (await import('./examine.ts')).checkSchedules(installation),
  alertEvents: {
    'schedule-run.failed': {
      about: 'A run of a schedule failed or took too long; it is over when a later one has succeeded.',
      labels: ['schedule', 'scheduleName'],
      since: async (...asked) => (await import('./happenings.ts')).failedRuns(...asked)
    },
    'schedule.missed': {
      about: 'Due times of a schedule were missed and are not caught up on; it is over an hour later.',
      labels: ['schedule', 'scheduleName'],
      since: async (...asked) => (await import('./happenings.ts')).missedDueTimes(...asked)
    },
    'schedule.paused': {
      about: 'A schedule was paused because too many runs failed; it is over when it is enabled again.',
      labels: ['schedule', 'scheduleName'],
      since: async (db) => (await import('./happenings.ts')).pausedByFailures(db)
    }
  },
  load: async () => (await import('./body.ts')).schedulerBody
})

async function checkScheduler({ metadata, clock }: AreaNeeds): Promise<void> {
  const { conditionOf, requireWell } = await import('./health.ts')
  requireWell(await conditionOf(metadata.db, clock.now()), clock.now())
}
