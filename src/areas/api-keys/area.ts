import type { Area } from '../../area.ts'
import { apiKeyMigrations } from './migrations.ts'

export const apiKeys: Area = {
  name: 'api-keys',
  about: 'Keys for programs, with a role and scopes of their own.',
  paths: ['/api/api-keys'],
  migrations: apiKeyMigrations,
  load: async () => (await import('./body.ts')).apiKeysBody
}
