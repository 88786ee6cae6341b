import { change, type Route, read } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { DashboardParams } from '../schema.ts'
import { ShareCreate, ShareDetail, Shared, SharePage, ShareParams, ShareQuery } from './schema.ts'
import type { Shares } from './service.ts'

export function shareRoutes(shares: Shares): Route[] {
  return [
    change(
      {
        method: 'POST',
        path: '/dashboards/:id/share',
        operationId: 'shareDashboard',
        summary: 'Make a link that shows a dashboard, or share it with users and roles',
        description:
          'A link shows the dashboard to whoever has it, as far as you may see its data, and never data whose level has become stricter since. It takes the right to change the dashboard; to share it inside, its owner.',
        permission: 'dashboards:write',
        audit: 'dashboard.share',
        status: 201,
        params: DashboardParams,
        body: ShareCreate,
        answer: Shared,
        errors: ['not_yours_to_edit', 'above_clearance', 'too_many_shares'],
        gather: ({ actor, params, body }) => shares.prepare(actor, params.id, body)
      },
      ({ tx, actor, params, body, gathered, headers }) =>
        shares.share(tx, actor, params.id, body, gathered, headers.host)
    ),
    read(
      {
        path: '/dashboards/:id/shares',
        operationId: 'listDashboardShares',
        summary: 'List the links to a dashboard',
        description: 'Without the links themselves. For those who may change it.',
        permission: 'dashboards:read',
        params: DashboardParams,
        query: ShareQuery,
        answer: SharePage,
        errors: ['not_yours_to_edit']
      },
      ({ actor, params, query }) => shares.list(actor, params.id, query)
    ),
    read(
      {
        path: '/dashboards/:id/shares/:shareId',
        operationId: 'getDashboardShare',
        summary: 'Get one link to a dashboard, with when it was last opened',
        permission: 'dashboards:read',
        params: ShareParams,
        answer: ShareDetail,
        errors: ['not_yours_to_edit']
      },
      ({ actor, params }) => shares.get(actor, params.id, params.shareId)
    ),
    change(
      {
        method: 'DELETE',
        path: '/dashboards/:id/shares/:shareId',
        operationId: 'revokeDashboardShare',
        summary: 'Revoke a link to a dashboard',
        description: 'The next request with it is refused, on every replica.',
        permission: 'dashboards:write',
        audit: 'dashboard-share.revoke',
        params: ShareParams,
        answer: Nothing,
        errors: ['not_yours_to_edit']
      },
      ({ tx, actor, params }) => shares.revoke(tx, actor, params.id, params.shareId)
    )
  ]
}
