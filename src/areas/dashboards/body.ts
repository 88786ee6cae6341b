import type { AreaBody, AreaNeeds } from '../../area.ts'
import { EventStreams } from '../../http/server-sent-events.ts'
import { accessRoutes } from './access/routes.ts'
import { Access } from './access/service.ts'
import { panelReading } from './data/build.ts'
import { dataRoutes } from './data/routes.ts'
import { DashboardData } from './data/service.ts'
import { favouriteRoutes } from './favourites/routes.ts'
import { Favourites } from './favourites/service.ts'
import { Live } from './live/live.ts'
import { liveRoutes } from './live/routes.ts'
import { portableRoutes } from './portable/routes.ts'
import { Portable } from './portable/service.ts'
import { dashboardRoutes } from './routes.ts'
import { Dashboards } from './service.ts'
import { versionRoutes } from './versions/routes.ts'
import { Versions } from './versions/service.ts'

/** Who can follow dashboards at once. */
const MAX_FOLLOWERS = 2000

export async function dashboardsBody(given: AreaNeeds): Promise<AreaBody> {
  const lineage = await given.service('lineage')
  const users = () => given.service('users')
  const dashboards = new Dashboards({ ...given, lineage, keptBeside: async () => [] })
  const needs = { ...given, lineage, users, dashboards }
  const reading = {
    ...panelReading(given),
    clock: given.clock,
    shown: (...asked: Parameters<Dashboards['shown']>) => dashboards.shown(...asked),
    guard: async () => (await given.service('classification')).guard
  }
  const streams = new EventStreams({ clock: given.clock, ending: given.ending, maxReaders: MAX_FOLLOWERS })
  return {
    routes: [
      ...dashboardRoutes(dashboards),
      ...accessRoutes(new Access(needs)),
      ...favouriteRoutes(new Favourites(dashboards)),
      ...versionRoutes(new Versions(needs)),
      ...portableRoutes(new Portable(needs)),
      ...dataRoutes(new DashboardData(reading)),
      ...liveRoutes(new Live(reading), streams)
    ]
  }
}
