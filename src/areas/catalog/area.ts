import './errors.ts'
import { declareArea } from '../../area.ts'
import { wholeNumber } from '../../config.ts'
import { catalogMigrations } from './migrations.ts'

declare module '../../config.ts' {
  interface Config {
    readonly maxQueryPoints: number
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    catalog: 'read' | 'write'
  }
}

export const catalog = declareArea({
  name: 'catalog',
  about: 'Sources of points in time, their tags, writing to them and questions about them.',
  // Beside its own, the addresses at which clients of InfluxDB write and ask.
  paths: ['/api/catalog', '/api/v2', '/api/write', '/write', '/query', '/ping'],
  permissions: ['catalog:read', 'catalog:write'],
  settings: {
    maxQueryPoints: {
      name: 'MAX_QUERY_POINTS',
      default: '1000000',
      about: 'Most points that a query of the catalog answers',
      read: wholeNumber(1, 100_000_000)
    }
  },
  migrations: catalogMigrations,
  jobs: {
    'catalog.drop': {},
    'catalog.sweep': {},
    'catalog.forget': {},
    'catalog.retain': {
      everyMs: 3600_000,
      isNeeded: async (db) =>
        (await db
          .selectFrom('catalog_sources')
          .select('id')
          .where('retention', 'is not', null)
          .limit(1)
          .executeTakeFirst()) !== undefined
    }
  },
  load: async () => (await import('./body.ts')).catalogBody
})
