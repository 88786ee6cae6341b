import type { AreaBody, AreaNeeds } from '../../area.ts'
import { apiKeyRoutes } from './routes.ts'
import { ApiKeys } from './service.ts'

declare module '../../area.ts' {
  interface Services {
    'api-keys': ApiKeys
  }
}

export async function apiKeysBody(needs: AreaNeeds): Promise<AreaBody> {
  const apiKeys = new ApiKeys({ ...needs, users: await needs.service('users') })
  return { routes: apiKeyRoutes(apiKeys), service: apiKeys }
}
