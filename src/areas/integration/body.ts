import type { AreaBody, AreaNeeds } from '../../area.ts'
import { driversDir } from '../../platform.ts'
import { OwnSources } from './own-sources.ts'
import { integrationRoutes } from './routes.ts'
import { Integration } from './service.ts'

declare module '../../area.ts' {
  interface Services {
    integration: Integration
  }
}

export function integrationBody(needs: AreaNeeds): AreaBody {
  const own = new OwnSources(needs)
  const integration = new Integration({ ...needs, own, packagesFolder: driversDir(needs.config) })
  return { routes: integrationRoutes(integration, own), service: integration }
}
