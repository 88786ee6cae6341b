import './errors.ts'
import { declareArea } from '../../area.ts'
import { seriesDir } from '../../data-paths.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { wholeNumber } from '../../env-reading.ts'
import { oncePerPlatform } from '../../once-per-platform.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'catalog-source.created': { readonly id: string; readonly name: string }
    'catalog-source.updated': { readonly id: string; readonly name: string; readonly formerName: string }
    'catalog-source.deleted': { readonly id: string; readonly name: string }
    'catalog-tag.updated': { readonly id: string; readonly sourceId: string; readonly name: string }
    'catalog-tag.deleted': { readonly id: string; readonly sourceId: string; readonly name: string }
  }
}

declare module '../../config.ts' {
  interface Config {
    readonly maxQueryPoints: number
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    catalog: 'catalog-source'
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
  // Its own addresses, and those at which clients of InfluxDB write and query.
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
  migrations: {
    ids: ['catalog/001-sources'],
    load: async () => (await import('./migrations.ts')).catalogMigrations
  },
  jobs: {
    'catalog.drop': {},
    'catalog.sweep': {},
    'catalog.forget': {},
    'catalog.retain': {
      everyMs: 3600_000,
      isNeeded: (db) => hasRows(db.selectFrom('catalog_sources').where('retention', 'is not', null))
    }
  },
  scheduleTargets: {
    downsample: async (needs) => (await import('./downsample/target.ts')).downsampleTarget(needs)
  },
  checks: (needs) => [
    {
      name: 'series',
      vital: false,
      run: async () => (await import('./health.ts')).checkSeries({ ...needs, folder: seriesDir(needs.config) })
    }
  ],
  metrics: (needs) => [{ name: 'catalog', render: async () => (await metricsOf(needs)).render() }],
  load: async () => (await import('./body.ts')).catalogBody
})

/** Made once per platform, because counts are remembered for a while. */
const metricsOf = oncePerPlatform(async (needs) => (await import('./metrics.ts')).catalogMetrics(needs))
