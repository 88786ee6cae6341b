import type { AreaBody, AreaNeeds } from '../../area.ts'
import { Claims } from './claims/claims.ts'
import { Questions } from './graph/questions.ts'
import { graphRoutes } from './graph/routes.ts'
import { Lineage } from './lineage.ts'
import { linkRoutes } from './links/routes.ts'
import { Links } from './links/service.ts'
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
    routes: [...graphRoutes(new Questions(needs)), ...linkRoutes(new Links(needs))],
    jobs: { 'lineage.prune': pruneLineage({ clock, claims, keepDays: config.lineageKeepDays }) },
    service: new Lineage({ clock, claims })
  }
}
