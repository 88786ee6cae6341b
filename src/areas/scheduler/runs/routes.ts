import { change, type Route, read } from '../../../http/route.ts'
import { ScheduleParams } from '../schedules/schema.ts'
import type { Schedules } from '../schedules/service.ts'
import type { Backfills } from './backfill.ts'
import { Backfill, BackfillBody, RunPage, RunParams, RunQuery, ScheduleRun } from './schema.ts'
import type { ScheduleRuns } from './service.ts'

export function runRoutes(
  runs: ScheduleRuns,
  backfills: Backfills,
  schedules: Pick<Schedules, 'requireRights'>
): Route[] {
  return [
    read(
      {
        path: '/scheduler/history',
        operationId: 'listAllScheduleRuns',
        summary: 'What became of the due times of all schedules',
        description: '`state=missed` and `state=failed` are what to look at first.',
        permission: 'scheduler:read',
        query: RunQuery,
        answer: RunPage
      },
      ({ query }) => runs.list(query)
    ),
    read(
      {
        path: '/scheduler/schedules/:id/history',
        operationId: 'listScheduleRuns',
        summary: 'What became of the due times of a schedule',
        description: 'There is a row for every due time, whether it ran or not, with the reason.',
        permission: 'scheduler:read',
        params: ScheduleParams,
        query: RunQuery,
        answer: RunPage
      },
      ({ params, query }) => runs.list(query, params.id)
    ),
    read(
      {
        path: '/scheduler/schedules/:id/history/:runId',
        operationId: 'getScheduleRun',
        summary: 'Get one run of a schedule',
        permission: 'scheduler:read',
        params: RunParams,
        answer: ScheduleRun
      },
      ({ params }) => runs.get(params.id, params.runId)
    ),
    change(
      {
        method: 'POST',
        path: '/scheduler/schedules/:id/history/:runId/cancel',
        operationId: 'cancelScheduleRun',
        summary: 'Cancel a run that waits or is under way',
        description: 'What waits is cancelled at once, what is under way within seconds: its state says when.',
        permission: 'scheduler:write',
        audit: 'schedule-run.cancel',
        status: 202,
        params: RunParams,
        answer: ScheduleRun,
        errors: ['run_ended'],
        gather: ({ actor, params }) => schedules.requireRights(actor, params.id)
      },
      ({ tx, actor, params }) => runs.cancel(tx, actor, params.id, params.runId)
    ),
    change(
      {
        method: 'POST',
        path: '/scheduler/schedules/:id/run',
        operationId: 'runSchedule',
        summary: 'Run a schedule now',
        description: 'Whether it is paused or not, with the rights of its owner, by its overlap rule.',
        permission: 'scheduler:write',
        audit: 'schedule.run',
        status: 202,
        params: ScheduleParams,
        answer: ScheduleRun,
        errors: ['schedule_busy', 'above_clearance'],
        gather: ({ actor, params }) => schedules.requireRights(actor, params.id, true)
      },
      ({ tx, actor, params }) => runs.runNow(tx, actor, params.id)
    ),
    read(
      {
        method: 'POST',
        path: '/scheduler/schedules/:id/backfill/preview',
        operationId: 'previewBackfill',
        summary: 'Which due times a backfill would run',
        permission: 'scheduler:read',
        params: ScheduleParams,
        body: BackfillBody,
        answer: Backfill,
        errors: ['too_many_due_times']
      },
      async ({ params, body }) => backfills.dryRun(await backfills.find(params.id, body))
    ),
    change(
      {
        method: 'POST',
        path: '/scheduler/schedules/:id/backfill',
        operationId: 'backfillSchedule',
        summary: 'Run the due times of a stretch of time',
        description:
          'Those that have not succeeded, or `all`; excluded ones are left out. They run beside what is due now, at most four at once, each with its own row in the history.',
        permission: 'scheduler:write',
        audit: 'schedule.backfill',
        status: 202,
        params: ScheduleParams,
        body: BackfillBody,
        answer: Backfill,
        errors: ['too_many_due_times', 'above_clearance'],
        async gather({ actor, params, body }) {
          await schedules.requireRights(actor, params.id, true)
          return backfills.find(params.id, body)
        }
      },
      ({ tx, actor, params, body, gathered }) => backfills.begin(tx, actor, params.id, body, gathered)
    )
  ]
}
