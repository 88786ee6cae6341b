import type { Area } from '../../area.ts'
import { catalogMigrations } from './migrations.ts'

export const catalog: Area = {
  name: 'catalog',
  about: 'Sources of points in time, their tags, writing to them and questions about them.',
  // Beside its own, the addresses at which clients of InfluxDB write and ask.
  paths: ['/api/catalog', '/api/v2', '/api/write', '/write', '/query', '/ping'],
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
}
