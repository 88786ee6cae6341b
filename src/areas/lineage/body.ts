import type { AreaBody, AreaNeeds } from '../../area.ts'
import { Claims } from './claims/claims.ts'
import { columnRoutes } from './columns/routes.ts'
import { ColumnQuestions } from './columns/service.ts'
import { differenceRoutes } from './difference/routes.ts'
import { Differences } from './difference/service.ts'
import { Questions } from './graph/questions.ts'
import { graphRoutes } from './graph/routes.ts'
import { Lineage } from './lineage.ts'
import { linkRoutes } from './links/routes.ts'
import { Links } from './links/service.ts'
import { nodeRoutes } from './nodes/routes.ts'
import { Nodes } from './nodes/service.ts'
import { portableRoutes } from './portable/routes.ts'
import { Portable } from './portable/service.ts'
import { pruneLineage } from './upkeep/prune.ts'

declare module '../../area.ts' {
  interface Services {
    lineage: Lineage
  }
}

export function lineageBody(needs: AreaNeeds): AreaBody {
  const { clock, config } = needs
  const claims = new Claims()
  return {
    routes: [
      ...graphRoutes(new Questions(needs)),
      ...columnRoutes(new ColumnQuestions(needs)),
      ...differenceRoutes(new Differences(needs)),
      ...nodeRoutes(new Nodes(needs)),
      ...linkRoutes(new Links(needs)),
      ...portableRoutes(new Portable({ ...needs, claims }))
    ],
    jobs: { 'lineage.prune': pruneLineage({ clock, claims, keepDays: config.lineageKeepDays }) },
    service: new Lineage({ clock, claims })
  }
}
