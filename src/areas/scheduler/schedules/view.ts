import type { Timing } from '../../../engines/timetable/index.ts'
import type { ScheduleRow } from '../migrations.ts'
import { type LastRunRow, toLastRun } from '../runs/view.ts'
import type { Pause, Schedule } from './schema.ts'

/** A schedule as it was set up, for the audit trail: without what changes by itself. */
export function toBareSchedule(row: ScheduleRow) {
  const timing = JSON.parse(row.timing) as Timing
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    cron: timing.cron ?? null,
    everySeconds: timing.everySeconds ?? null,
    at: timing.at ?? null,
    timeZone: timing.timeZone,
    dst: timing.dst,
    startAt: timing.startAt ?? null,
    endAt: timing.endAt ?? null,
    exclusions: [...timing.exclusions] as Schedule['exclusions'],
    target: {
      type: row.target_type,
      id: row.target_id,
      config: JSON.parse(row.target_config) as Record<string, unknown>
    },
    overlap: row.overlap,
    catchUp: row.catch_up,
    catchUpWindow: row.catch_up_window,
    jitterSeconds: row.jitter_seconds,
    retries: row.retries,
    retryDelaySeconds: row.retry_delay_seconds,
    timeoutSeconds: row.timeout_seconds,
    pauseAfterFailures: row.pause_after_failures,
    enabled: row.enabled === 1,
    pause: row.pause === null ? null : (JSON.parse(row.pause) as Pause),
    owner: row.owner_id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

export function toSchedule(row: ScheduleRow, nextRuns: readonly string[], lastRun: LastRunRow | undefined): Schedule {
  return {
    ...toBareSchedule(row),
    failures: row.failures,
    nextRuns: [...nextRuns],
    lastRun: lastRun === undefined ? null : toLastRun(lastRun)
  }
}
