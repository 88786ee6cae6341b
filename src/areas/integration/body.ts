import type { AreaBody, AreaNeeds } from '../../area.ts'
import { driversDir } from '../../platform.ts'
import { authorizationRoutes } from './authorization-routes.ts'
import { Authorizations } from './authorizations.ts'
import { OwnSources } from './own-sources.ts'
import { integrationRoutes } from './routes.ts'
import { Integration } from './service.ts'

declare module '../../area.ts' {
  interface Services {
    integration: Integration & { readonly authorizations: Authorizations }
  }
}

export function integrationBody(needs: AreaNeeds): AreaBody {
  const own = new OwnSources(needs)
  const integration = new Integration({ ...needs, own, packagesFolder: driversDir(needs.config) })
  const authorizations = new Authorizations({
    ...needs,
    prepare: (id) => integration.prepare(id),
    check: (source, config) => integration.check(source, config),
    connected: async (id) => (await needs.service('connectors')).open(id)
  })
  return {
    routes: [...integrationRoutes(integration, own), ...authorizationRoutes(authorizations)],
    service: Object.assign(integration, { authorizations })
  }
}
