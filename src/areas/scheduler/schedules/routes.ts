import { change, type Route, read } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import {
  PauseBody,
  Preview,
  PreviewBody,
  Schedule,
  ScheduleCreate,
  SchedulePage,
  ScheduleParams,
  ScheduleQuery,
  ScheduleUpdate,
  TargetList
} from './schema.ts'
import type { Schedules } from './service.ts'
import type { Targets } from './targets.ts'

export function scheduleRoutes(schedules: Schedules, targets: Targets): Route[] {
  return [
    read(
      {
        path: '/scheduler/targets',
        operationId: 'listScheduleTargets',
        summary: 'What schedules can have done',
        permission: 'scheduler:read',
        answer: TargetList
      },
      () => targets.list()
    ),
    read(
      {
        method: 'POST',
        path: '/scheduler/preview',
        operationId: 'previewSchedule',
        summary: 'When a schedule would be due',
        description: 'With what the change of the clock does to each due time, and those that are excluded.',
        permission: 'scheduler:read',
        body: PreviewBody,
        answer: Preview
      },
      ({ body }) => schedules.preview(body)
    ),
    read(
      {
        path: '/scheduler/schedules',
        operationId: 'listSchedules',
        summary: 'List schedules',
        permission: 'scheduler:read',
        query: ScheduleQuery,
        answer: SchedulePage
      },
      ({ query }) => schedules.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/scheduler/schedules',
        operationId: 'createSchedule',
        summary: 'Make a schedule',
        description: 'It runs with the rights of whoever made or last changed it, as these are then.',
        permission: 'scheduler:write',
        audit: 'schedule.create',
        status: 201,
        body: ScheduleCreate,
        answer: Schedule,
        errors: ['name_taken', 'unknown_target'],
        gather: ({ actor, body }) => schedules.prepareNew(actor, body)
      },
      ({ tx, actor, body, gathered }) => schedules.create(tx, actor, body, gathered)
    ),
    read(
      {
        path: '/scheduler/schedules/:id',
        operationId: 'getSchedule',
        summary: 'Get one schedule',
        permission: 'scheduler:read',
        params: ScheduleParams,
        answer: Schedule
      },
      ({ params }) => schedules.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/scheduler/schedules/:id',
        operationId: 'updateSchedule',
        summary: 'Change a schedule',
        description:
          'A field that is left out stays as it is. A change of the time counts from now on; due times that have come before are decided by the rules as they were.',
        permission: 'scheduler:write',
        audit: 'schedule.update',
        params: ScheduleParams,
        body: ScheduleUpdate,
        answer: Schedule,
        errors: ['name_taken', 'unknown_target', 'secret_bound', 'stale_version'],
        gather: ({ actor, params, body }) => schedules.prepareChange(actor, params.id, body)
      },
      ({ tx, actor, params, body, gathered }) => schedules.update(tx, actor, params.id, body, gathered)
    ),
    change(
      {
        method: 'DELETE',
        path: '/scheduler/schedules/:id',
        operationId: 'deleteSchedule',
        summary: 'Delete a schedule and its history',
        description: 'What of it waits or is under way in a call is cancelled; a pipeline that it has started goes on.',
        permission: 'scheduler:write',
        audit: 'schedule.delete',
        params: ScheduleParams,
        answer: Nothing,
        gather: ({ actor, params }) => schedules.prepareDelete(actor, params.id)
      },
      ({ tx, params, gathered }) => schedules.delete(tx, params.id, gathered)
    ),
    change(
      {
        method: 'POST',
        path: '/scheduler/schedules/:id/pause',
        operationId: 'pauseSchedule',
        summary: 'Pause a schedule, with a note',
        description: 'What is under way goes on. Each due time of the pause is in the history as skipped.',
        permission: 'scheduler:write',
        audit: 'schedule.pause',
        params: ScheduleParams,
        body: PauseBody,
        answer: Schedule,
        errors: ['illegal_transition'],
        gather: ({ actor, params }) => schedules.requireRights(actor, params.id)
      },
      ({ tx, actor, params, body }) => schedules.setEnabled(tx, actor, params.id, false, body?.note ?? '')
    ),
    change(
      {
        method: 'POST',
        path: '/scheduler/schedules/:id/resume',
        operationId: 'resumeSchedule',
        summary: 'Resume a schedule that is paused',
        description: 'It goes on with its next due time. What was due in between does not run; a backfill can.',
        permission: 'scheduler:write',
        audit: 'schedule.resume',
        params: ScheduleParams,
        answer: Schedule,
        errors: ['illegal_transition', 'above_clearance'],
        gather: ({ actor, params }) => schedules.requireRights(actor, params.id, true)
      },
      ({ tx, actor, params }) => schedules.setEnabled(tx, actor, params.id, true, '')
    )
  ]
}
