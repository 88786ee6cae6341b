import type { AreaBody, AreaNeeds } from '../../area.ts'
import { EventStreams } from '../../http/server-sent-events.ts'
import { accessRoutes } from './access/routes.ts'
import { Access } from './access/service.ts'
import { alertingRoutes } from './alerting/routes.ts'
import { PanelAlerts } from './alerting/service.ts'
import { annotationRoutes } from './annotations/routes.ts'
import { Annotations } from './annotations/service.ts'
import { panelReading } from './data/build.ts'
import { PanelReader } from './data/reading.ts'
import { dataRoutes } from './data/routes.ts'
import { DashboardData } from './data/service.ts'
import { favouriteRoutes } from './favourites/routes.ts'
import { Favourites } from './favourites/service.ts'
import { grafanaRoutes } from './grafana/routes.ts'
import { GrafanaImports } from './grafana/service.ts'
import { Drawing } from './images/drawing.ts'
import { imageRoutes } from './images/routes.ts'
import { Images } from './images/service.ts'
import { keptBeside } from './kept-beside.ts'
import { Live } from './live/live.ts'
import { liveRoutes } from './live/routes.ts'
import { portableRoutes } from './portable/routes.ts'
import { Portable } from './portable/service.ts'
import { dashboardRoutes } from './routes.ts'
import { Dashboards } from './service.ts'
import { ShareDoor } from './shares/opening.ts'
import { shareRoutes } from './shares/routes.ts'
import { Shares } from './shares/service.ts'
import { sharedRoutes } from './shares/shared-routes.ts'
import { Showing } from './shares/showing.ts'
import { snapshotRoutes } from './snapshots/routes.ts'
import { Snapshots } from './snapshots/service.ts'
import { versionRoutes } from './versions/routes.ts'
import { Versions } from './versions/service.ts'

/** Who can follow dashboards at once. */
const MAX_FOLLOWERS = 2000

export async function dashboardsBody(given: AreaNeeds): Promise<AreaBody> {
  const { clock, config, ending, service } = given
  const lineage = await service('lineage')
  const dashboards = new Dashboards({ ...given, lineage, keptBeside })
  const { panels, variables } = panelReading(given)
  const needs = {
    ...given,
    lineage,
    dashboards,
    panels,
    variables,
    reader: new PanelReader(panels),
    drawing: new Drawing(),
    publicUrl: config.publicUrl,
    users: () => service('users'),
    alerts: () => service('alerts'),
    guard: async () => (await service('classification')).guard,
    shown: (...asked: Parameters<Dashboards['shown']>) => dashboards.shown(...asked)
  }
  const access = new Access(needs)
  const annotations = new Annotations(needs)
  const door = new ShareDoor(needs)
  const streams = new EventStreams({ clock, ending, maxReaders: MAX_FOLLOWERS })
  return {
    routes: [
      ...dashboardRoutes(dashboards),
      ...accessRoutes(access),
      ...favouriteRoutes(new Favourites(dashboards)),
      ...versionRoutes(new Versions(needs)),
      ...portableRoutes(new Portable(needs)),
      ...grafanaRoutes(new GrafanaImports(dashboards)),
      ...dataRoutes(new DashboardData(needs)),
      ...liveRoutes(new Live(needs), streams),
      ...annotationRoutes(annotations),
      ...alertingRoutes(new PanelAlerts(needs)),
      ...imageRoutes(new Images({ ...needs, annotations })),
      ...snapshotRoutes(new Snapshots(needs)),
      ...shareRoutes(new Shares({ ...needs, access })),
      ...sharedRoutes(new Showing({ ...needs, door }), door, needs.drawing)
    ],
    stop: () => needs.drawing.close()
  }
}
