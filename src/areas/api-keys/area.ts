import './errors.ts'
import { declareArea } from '../../area.ts'
import { apiKeyMigrations } from './migrations.ts'

declare module '../../http/permissions.ts' {
  interface Permissions {
    'api-keys': 'self' | 'admin'
  }
}

export const apiKeys = declareArea({
  name: 'api-keys',
  about: 'Keys for programs, with a role and scopes of their own.',
  paths: ['/api/api-keys'],
  permissions: ['api-keys:self', 'api-keys:admin'],
  migrations: apiKeyMigrations,
  load: async () => (await import('./body.ts')).apiKeysBody
})
