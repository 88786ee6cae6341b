import type { Area } from '../../http/route.ts'
import { apiKeyMigrations } from './migrations.ts'
import { apiKeyRoutes } from './routes.ts'
import type { ApiKeys } from './service.ts'

export { ApiKeys } from './service.ts'

export function apiKeysArea(apiKeys: ApiKeys): Area {
  return {
    name: 'api-keys',
    about: 'Keys for programs, with a role and scopes of their own.',
    migrations: apiKeyMigrations,
    routes: apiKeyRoutes(apiKeys)
  }
}
