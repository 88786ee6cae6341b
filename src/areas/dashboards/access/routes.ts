import { change, type Route, read } from '../../../http/route.ts'
import { DashboardParams } from '../schema.ts'
import { Access, AccessUpdate } from './schema.ts'
import type { Access as AccessService } from './service.ts'

export function accessRoutes(access: AccessService): Route[] {
  return [
    read(
      {
        path: '/dashboards/:id/access',
        operationId: 'getDashboardAccess',
        summary: 'Tell who may see and change a dashboard',
        permission: 'dashboards:read',
        params: DashboardParams,
        answer: Access
      },
      ({ actor, params }) => access.get(actor, params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/dashboards/:id/access',
        operationId: 'updateDashboardAccess',
        summary: 'Say who may see and change a dashboard, or give it to another owner',
        description:
          'For its owner and administrators. With `everyone: none` only its owner, those it is shared with and administrators see it; all others do not find it.',
        permission: 'dashboards:write',
        audit: 'dashboard.share',
        params: DashboardParams,
        body: AccessUpdate,
        answer: Access,
        errors: ['not_yours_to_edit'],
        gather: ({ body }) => access.named(body)
      },
      ({ tx, actor, params, body, gathered }) => access.update(tx, actor, params.id, body, gathered)
    )
  ]
}
