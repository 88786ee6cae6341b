import { change, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import {
  Dashboard,
  DashboardCreate,
  DashboardPage,
  DashboardParams,
  DashboardQuery,
  DashboardUpdate,
  Duplicate,
  DuplicateBody,
  Folders
} from './schema.ts'
import type { Dashboards } from './service.ts'

export function dashboardRoutes(dashboards: Dashboards): Route[] {
  return [
    read(
      {
        path: '/dashboards',
        operationId: 'listDashboards',
        summary: 'List the dashboards that you may see',
        description: 'Without their panels.',
        permission: 'dashboards:read',
        query: DashboardQuery,
        answer: DashboardPage
      },
      ({ actor, query }) => dashboards.list(actor, query)
    ),
    change(
      {
        method: 'POST',
        path: '/dashboards',
        operationId: 'createDashboard',
        summary: 'Make a dashboard',
        permission: 'dashboards:write',
        audit: 'dashboard.create',
        status: 201,
        body: DashboardCreate,
        answer: Dashboard
      },
      ({ tx, actor, body }) => dashboards.create(tx, actor, body)
    ),
    read(
      {
        path: '/dashboards/folders',
        operationId: 'listDashboardFolders',
        summary: 'List the folders of the dashboards that you may see',
        permission: 'dashboards:read',
        answer: Folders
      },
      ({ actor }) => dashboards.folders(actor)
    ),
    read(
      {
        path: '/dashboards/:id',
        operationId: 'getDashboard',
        summary: 'Get one dashboard',
        permission: 'dashboards:read',
        params: DashboardParams,
        answer: Dashboard
      },
      ({ actor, params }) => dashboards.get(actor, params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/dashboards/:id',
        operationId: 'updateDashboard',
        summary: 'Change a dashboard',
        description:
          'Fields that are not sent stay as they are; lists are replaced as a whole. Send `If-Match` so that nobody’s change is overwritten; what was overwritten all the same is in the history.',
        permission: 'dashboards:write',
        audit: 'dashboard.update',
        params: DashboardParams,
        body: DashboardUpdate,
        answer: Dashboard,
        errors: ['not_yours_to_edit']
      },
      ({ tx, actor, params, body }) => dashboards.update(tx, actor, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/dashboards/:id',
        operationId: 'deleteDashboard',
        summary: 'Delete a dashboard with its history and shares',
        permission: 'dashboards:write',
        audit: 'dashboard.delete',
        params: DashboardParams,
        answer: Nothing,
        errors: ['not_yours_to_edit']
      },
      ({ tx, actor, params }) => dashboards.delete(tx, actor, params.id)
    ),
    change(
      {
        method: 'POST',
        path: '/dashboards/:id/duplicate',
        operationId: 'duplicateDashboard',
        summary: 'Copy a dashboard',
        description: 'The copy is independent of the original, and yours.',
        permission: 'dashboards:write',
        audit: 'dashboard.duplicate',
        status: 201,
        params: DashboardParams,
        body: DuplicateBody,
        answer: Duplicate
      },
      ({ tx, actor, params, body }) => dashboards.duplicate(tx, actor, params.id, body)
    )
  ]
}
