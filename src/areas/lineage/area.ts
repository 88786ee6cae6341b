import { type AreaNeeds, declareArea } from '../../area.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { wholeNumber } from '../../env-reading.ts'
import type { MetricsPart } from '../../http/metrics.ts'
import type { LineageMetrics } from './upkeep/metrics.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'lineage-link.created': { readonly id: string }
    'lineage-link.updated': { readonly id: string }
    'lineage-link.deleted': { readonly id: string }
    'lineage-import.created': { readonly id: string }
  }
}

declare module '../../config.ts' {
  interface Config {
    readonly lineageKeepDays: number
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    'lineage-links': 'lineage-link' | 'lineage-import'
  }
}

declare module '../../engines/bus/index.ts' {
  interface Events {
    'lineage-node.updated': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    lineage: 'lineage-node'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    lineage: 'read' | 'write'
  }
}

export const lineage = declareArea({
  name: 'lineage',
  about: 'Where data came from, what it became, and what breaks if it stops.',
  paths: ['/api/lineage', '/api/v1'],
  permissions: ['lineage:read', 'lineage:write'],
  settings: {
    lineageKeepDays: {
      name: 'LINEAGE_KEEP_DAYS',
      default: '365',
      about: 'Days that the lineage keeps what has ended, and runs; 0 is for ever',
      read: wholeNumber(0, 36_500)
    }
  },
  migrations: {
    ids: ['lineage/001-graph'],
    load: async () => (await import('./migrations.ts')).lineageMigrations
  },
  jobs: {
    'lineage.prune': { everyMs: 3600_000, isNeeded: (db) => hasRows(db.selectFrom('lineage_nodes')) }
  },
  metrics: lineageMetrics,
  examine: async (installation) => (await import('./upkeep/examine.ts')).checkLineage(installation),
  load: async () => (await import('./body.ts')).lineageBody
})

function lineageMetrics(needs: AreaNeeds): MetricsPart[] {
  let metrics: LineageMetrics | undefined
  const render = async () => {
    metrics ??= new (await import('./upkeep/metrics.ts')).LineageMetrics(needs)
    return metrics.render(needs.loaded('lineage'))
  }
  return [{ name: 'lineage', render }]
}
