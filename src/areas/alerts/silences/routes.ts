import { etagOf } from '../../../http/etag.ts'
import { change, type Route, read, StatusAnswer } from '../../../http/route.ts'
import { Silence, SilenceCreate, SilencePage, SilenceParams, SilenceQuery, SilenceUpdate } from './schema.ts'
import type { Silences } from './service.ts'

export function silenceRoutes(silences: Silences): Route[] {
  return [
    read(
      {
        path: '/alerts/silences',
        operationId: 'listAlertSilences',
        summary: 'List silences, the newest first',
        description: 'Expired ones are kept for 90 days.',
        permission: 'alerts:read',
        query: SilenceQuery,
        answer: SilencePage
      },
      ({ query }) => silences.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/alerts/silences',
        operationId: 'createAlertSilence',
        summary: 'Have nobody told of some alerts for a while',
        description:
          'Rules go on being evaluated, and what was told before still gets its end told. Alerts that are open when it ends are told then.',
        permission: 'alerts:write',
        audit: 'alert-silence.create',
        status: 201,
        body: SilenceCreate,
        answer: Silence,
        // Before the transaction, which keeps others from writing.
        gather: ({ body }) => silences.countAlerts(body)
      },
      ({ tx, actor, body, gathered }) => silences.create(tx, actor, body, gathered)
    ),
    read(
      {
        path: '/alerts/silences/:id',
        operationId: 'getAlertSilence',
        summary: 'Get one silence, and how many alerts it matches',
        permission: 'alerts:read',
        params: SilenceParams,
        answer: Silence
      },
      async ({ params }) => {
        const silence = await silences.get(params.id)
        // The version counts changes by people; state and alerts change without it, so the answer is never 304.
        return new StatusAnswer(200, silence, { etag: etagOf(silence) as string })
      }
    ),
    change(
      {
        method: 'PUT',
        path: '/alerts/silences/:id',
        operationId: 'updateAlertSilence',
        summary: 'Change a silence that has not expired',
        permission: 'alerts:write',
        audit: 'alert-silence.update',
        params: SilenceParams,
        body: SilenceUpdate,
        answer: Silence,
        errors: ['illegal_transition']
      },
      ({ tx, params, body }) => silences.update(tx, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/alerts/silences/:id',
        operationId: 'endAlertSilence',
        summary: 'End a silence now',
        description: 'It stays in the list, as expired.',
        permission: 'alerts:write',
        audit: 'alert-silence.end',
        status: 200,
        params: SilenceParams,
        answer: Silence,
        errors: ['illegal_transition']
      },
      ({ tx, params }) => silences.end(tx, params.id)
    )
  ]
}
