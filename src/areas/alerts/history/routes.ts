import { etagOf } from '../../../http/etag.ts'
import { change, type Route, read, StatusAnswer } from '../../../http/route.ts'
import { Acknowledgement, Alert, AlertPage, AlertParams, AlertQuery, Resolution } from './schema.ts'
import type { History } from './service.ts'

export function historyRoutes(history: History): Route[] {
  return [
    read(
      {
        path: '/alerts/history',
        operationId: 'listAlerts',
        summary: 'List alerts, the newest first',
        description: 'Each is one time that an instance of a rule fired. Resolved ones are kept for 90 days.',
        permission: 'alerts:read',
        query: AlertQuery,
        answer: AlertPage
      },
      ({ query }) => history.list(query)
    ),
    read(
      {
        path: '/alerts/history/:id',
        operationId: 'getAlert',
        summary: 'Get one alert',
        permission: 'alerts:read',
        params: AlertParams,
        answer: Alert
      },
      async ({ params }) => {
        const alert = await history.get(params.id)
        // What holds it back comes and goes without a new version, so the answer is never 304.
        return new StatusAnswer(200, alert, { etag: etagOf(alert) as string })
      }
    ),
    change(
      {
        method: 'POST',
        path: '/alerts/history/:id/acknowledge',
        operationId: 'acknowledgeAlert',
        summary: 'Say that somebody has taken an alert on',
        description:
          'With `until` it fires again then, unless it is resolved. It can be said again, with another note or time.',
        permission: 'alerts:write',
        audit: 'alert.acknowledge',
        params: AlertParams,
        body: Acknowledgement,
        answer: Alert,
        errors: ['illegal_transition']
      },
      ({ tx, actor, params, body }) => history.acknowledge(tx, actor, params.id, body)
    ),
    change(
      {
        method: 'POST',
        path: '/alerts/history/:id/resolve',
        operationId: 'resolveAlert',
        summary: 'Say that an alert is over',
        description: 'Its instance does not fire again before the condition was false once.',
        permission: 'alerts:write',
        audit: 'alert.resolve',
        params: AlertParams,
        body: Resolution,
        answer: Alert,
        errors: ['illegal_transition']
      },
      ({ tx, actor, params, body }) => history.resolve(tx, actor, params.id, body)
    )
  ]
}
