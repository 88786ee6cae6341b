import { change, type Route, read } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import {
  Inhibition,
  InhibitionCreate,
  InhibitionPage,
  InhibitionParams,
  InhibitionQuery,
  InhibitionUpdate
} from './schema.ts'
import type { Inhibitions } from './service.ts'

export function inhibitionRoutes(inhibitions: Inhibitions): Route[] {
  return [
    read(
      {
        path: '/alerts/inhibitions',
        operationId: 'listAlertInhibitions',
        summary: 'List what alerts hold others back',
        permission: 'alerts:read',
        query: InhibitionQuery,
        answer: InhibitionPage
      },
      ({ query }) => inhibitions.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/alerts/inhibitions',
        operationId: 'createAlertInhibition',
        summary: 'Have nobody told of some alerts while others are open',
        description:
          'An alert holds back those that match `target` and agree with it in all `equal` labels, also while it is acknowledged or silenced itself. Those that match both sides do not hold each other back.',
        permission: 'alerts:write',
        audit: 'alert-inhibition.create',
        status: 201,
        body: InhibitionCreate,
        answer: Inhibition,
        errors: ['name_taken']
      },
      ({ tx, actor, body }) => inhibitions.create(tx, actor, body)
    ),
    read(
      {
        path: '/alerts/inhibitions/:id',
        operationId: 'getAlertInhibition',
        summary: 'Get one inhibition',
        permission: 'alerts:read',
        params: InhibitionParams,
        answer: Inhibition,
        madeFrom: ['alert_inhibitions']
      },
      ({ params }) => inhibitions.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/alerts/inhibitions/:id',
        operationId: 'updateAlertInhibition',
        summary: 'Change an inhibition',
        permission: 'alerts:write',
        audit: 'alert-inhibition.update',
        params: InhibitionParams,
        body: InhibitionUpdate,
        answer: Inhibition,
        errors: ['name_taken']
      },
      ({ tx, params, body }) => inhibitions.update(tx, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/alerts/inhibitions/:id',
        operationId: 'deleteAlertInhibition',
        summary: 'Delete an inhibition',
        permission: 'alerts:write',
        audit: 'alert-inhibition.delete',
        params: InhibitionParams,
        answer: Nothing
      },
      ({ tx, params }) => inhibitions.delete(tx, params.id)
    )
  ]
}
