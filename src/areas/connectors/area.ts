import './errors.ts'
import { declareArea } from '../../area.ts'
import { hasRows } from '../../engines/metadata/index.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'connector.created': { readonly id: string }
    'connector.updated': { readonly id: string }
    'connector.deleted': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    connectors: 'connector'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    connectors: 'read' | 'write'
  }
}

export const connectors = declareArea({
  name: 'connectors',
  about: 'Systems of others that are connected: whether they answer, what can be read there, and a look at it.',
  paths: ['/api/connectors'],
  permissions: ['connectors:read', 'connectors:write'],
  migrations: {
    ids: ['connectors/001-connectors', 'connectors/002-stale-streams', 'connectors/003-notes'],
    load: async () => (await import('./migrations.ts')).connectorMigrations
  },
  findUsers: async (...asked) => (await import('./uses.ts')).usersOf(...asked),
  jobs: { 'connectors.watch': { everyMs: 60_000, isNeeded: (db) => hasRows(db.selectFrom('connectors')) } },
  checks: ({ metadata }) => [
    { name: 'connectors', vital: false, run: async () => (await import('./condition.ts')).checkConnectors(metadata.db) }
  ],
  metrics: ({ metadata }) => [
    { name: 'connectors', render: async () => (await import('./condition.ts')).renderConnectors(metadata.db) }
  ],
  examine: async (installation) => (await import('./examine.ts')).examineConnectors(installation),
  alertEvents: {
    'connector.failing': {
      about: 'The last test of a connector failed; it is over when one succeeds.',
      labels: ['connector', 'connectorName', 'sourceId', 'code'],
      since: async (db) => (await import('./condition.ts')).failingConnectors(db)
    }
  },
  load: async () => (await import('./body.ts')).connectorsBody
})
