import './errors.ts'
import { declareArea } from '../../area.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'api-key.created': { readonly id: string }
    'api-key.deleted': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    'api-keys': 'api-key'
  }
}

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
  migrations: {
    ids: ['api-keys/001-api-keys', 'api-keys/002-made-with', 'api-keys/003-revoked'],
    load: async () => (await import('./migrations.ts')).apiKeyMigrations
  },
  load: async () => (await import('./body.ts')).apiKeysBody
})
