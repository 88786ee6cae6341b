import { change, type Route, read } from '../../../http/route.ts'
import { Dashboard, DashboardParams } from '../schema.ts'
import { DashboardVersion, Difference, DifferenceQuery, VersionPage, VersionParams, VersionQuery } from './schema.ts'
import type { Versions } from './service.ts'

export function versionRoutes(versions: Versions): Route[] {
  return [
    read(
      {
        path: '/dashboards/:id/versions',
        operationId: 'listDashboardVersions',
        summary: 'List the versions of a dashboard, the last one first',
        description: 'The last 500 are kept.',
        permission: 'dashboards:read',
        params: DashboardParams,
        query: VersionQuery,
        answer: VersionPage
      },
      ({ actor, params, query }) => versions.list(actor, params.id, query)
    ),
    read(
      {
        path: '/dashboards/:id/versions/:version',
        operationId: 'getDashboardVersion',
        summary: 'Get what a dashboard was in one version',
        permission: 'dashboards:read',
        params: VersionParams,
        answer: DashboardVersion
      },
      ({ actor, params }) => versions.get(actor, params.id, params.version)
    ),
    read(
      {
        path: '/dashboards/:id/versions/:version/difference',
        operationId: 'compareDashboardVersions',
        summary: 'Tell what changed from one version of a dashboard to another',
        permission: 'dashboards:read',
        params: VersionParams,
        query: DifferenceQuery,
        answer: Difference
      },
      ({ actor, params, query }) => versions.difference(actor, params.id, params.version, query.to)
    ),
    change(
      {
        method: 'POST',
        path: '/dashboards/:id/versions/:version/restore',
        operationId: 'restoreDashboardVersion',
        summary: 'Make a dashboard what it was in one version',
        description: 'As a new version: what it is now stays in the history.',
        permission: 'dashboards:write',
        audit: 'dashboard.restore',
        params: VersionParams,
        answer: Dashboard,
        errors: ['not_yours_to_edit']
      },
      ({ tx, actor, params }) => versions.restore(tx, actor, params.id, params.version)
    )
  ]
}
