import './errors.ts'
import { declareArea } from '../../area.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'connection-test.created': { readonly id: string }
    'integration-source.created': { readonly id: string }
    'integration-source.updated': { readonly id: string }
    'integration-source.deleted': { readonly id: string }
    'authorization.created': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    integration: 'integration-source' | 'authorization'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    integration: 'read' | 'write'
  }
}

export const integration = declareArea({
  name: 'integration',
  about: 'The kinds of systems that can be connected, what each needs to know, and a test of settings.',
  paths: ['/api/integration'],
  permissions: ['integration:read', 'integration:write'],
  migrations: {
    ids: ['integration/001-own-sources', 'integration/002-authorizations'],
    load: async () => [
      ...(await import('./migrations.ts')).integrationMigrations,
      ...(await import('./authorization-migrations.ts')).authorizationMigrations
    ]
  },
  load: async () => (await import('./body.ts')).integrationBody
})
