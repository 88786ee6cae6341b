import { change, type Route } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { DashboardParams } from '../schema.ts'
import type { Favourites } from './service.ts'

export function favouriteRoutes(favourites: Favourites): Route[] {
  return [
    change(
      {
        method: 'PUT',
        path: '/dashboards/:id/favourite',
        operationId: 'addFavouriteDashboard',
        summary: 'Make a dashboard one of your favourites',
        permission: 'dashboards:read',
        audit: 'dashboard-favourite.create',
        status: 204,
        params: DashboardParams,
        answer: Nothing,
        errors: ['too_many_favourites']
      },
      ({ tx, actor, params }) => favourites.add(tx, actor, params.id)
    ),
    change(
      {
        method: 'DELETE',
        path: '/dashboards/:id/favourite',
        operationId: 'removeFavouriteDashboard',
        summary: 'Take a dashboard out of your favourites',
        permission: 'dashboards:read',
        audit: 'dashboard-favourite.delete',
        params: DashboardParams,
        answer: Nothing
      },
      ({ tx, actor, params }) => favourites.remove(tx, actor, params.id)
    )
  ]
}
