import type { AreaBody, AreaNeeds } from '../../area.ts'
import { accessRoutes } from './access/routes.ts'
import { Access } from './access/service.ts'
import { favouriteRoutes } from './favourites/routes.ts'
import { Favourites } from './favourites/service.ts'
import { grafanaRoutes } from './grafana/routes.ts'
import { GrafanaImports } from './grafana/service.ts'
import { portableRoutes } from './portable/routes.ts'
import { Portable } from './portable/service.ts'
import { dashboardRoutes } from './routes.ts'
import { Dashboards } from './service.ts'
import { versionRoutes } from './versions/routes.ts'
import { Versions } from './versions/service.ts'

export async function dashboardsBody(given: AreaNeeds): Promise<AreaBody> {
  const lineage = await given.service('lineage')
  const users = () => given.service('users')
  const dashboards = new Dashboards({ ...given, lineage, keptBeside: async () => [] })
  const needs = { ...given, lineage, users, dashboards }
  return {
    routes: [
      ...dashboardRoutes(dashboards),
      ...accessRoutes(new Access(needs)),
      ...favouriteRoutes(new Favourites(dashboards)),
      ...versionRoutes(new Versions(needs)),
      ...portableRoutes(new Portable(needs)),
      ...grafanaRoutes(new GrafanaImports(dashboards))
    ]
  }
}
