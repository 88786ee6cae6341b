import './errors.ts'
import { type AreaNeeds, declareArea } from '../../area.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { SettingFault, wholeNumber } from '../../env-reading.ts'
import type { MetricsPart } from '../../http/metrics.ts'
import type { LineageMetrics } from './upkeep/metrics.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'lineage-link.created': { readonly id: string }
    'lineage-link.updated': { readonly id: string }
    'lineage-link.deleted': { readonly id: string }
    'lineage-node.updated': { readonly id: string }
    'lineage-node.deleted': { readonly id: string }
    'lineage-import.created': { readonly id: string }
  }
}

declare module '../../config.ts' {
  interface Config {
    readonly lineageKeepDays: number
    /** Buckets of which the lineage is told who downloads what; `*` is all. */
    readonly lineageDownloads: readonly string[]
    /** A collector of OpenLineage events that what our own runs read and write is sent on to. */
    readonly openLineageUrl: string | undefined
    readonly openLineageKey: string | undefined
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    lineage: 'lineage-link' | 'lineage-node' | 'lineage-import'
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
    },
    lineageDownloads: {
      name: 'LINEAGE_DOWNLOADS',
      default: '',
      about: 'Buckets of which the lineage shows who downloads objects or opens links, by commas; `*` is all',
      read: namesOf
    },
    openLineageUrl: {
      name: 'OPENLINEAGE_URL',
      default: '',
      about: 'Collector that lineage of our own runs is sent on to, such as `https://marquez.example.org`',
      read: collectorUrl
    },
    openLineageKey: {
      name: 'OPENLINEAGE_API_KEY',
      default: '',
      about: 'Sent to that collector as a bearer token',
      read: (text) => (text === '' ? undefined : text)
    }
  },
  migrations: {
    ids: ['lineage/001-graph', 'lineage/002-upstream', 'lineage/003-absences'],
    load: async () => (await import('./migrations.ts')).lineageMigrations
  },
  jobs: {
    // One after the other, so that the start of a run comes before its end.
    'lineage.send': { concurrency: 1 },
    'lineage.prune': { everyMs: 3600_000, isNeeded: (db) => hasRows(db.selectFrom('lineage_nodes')) }
  },
  checks: (needs) => [{ name: 'lineage', vital: false, run: () => checkSending(needs) }],
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

async function checkSending({ config, metadata, clock }: AreaNeeds): Promise<void> {
  if (config.openLineageUrl === undefined) return
  const { requireSending, sendingOf } = await import('./sending/health.ts')
  requireSending(await sendingOf(metadata.db, clock.now()), clock.now())
}

function namesOf(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  const wrong = given.find((name) => name !== '*' && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name))
  if (wrong === undefined) return given
  throw new SettingFault(`must be names of buckets with commas between them, or *; no bucket can be called '${wrong}'`)
}

function collectorUrl(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text
  throw new SettingFault('must be an http or https address without a name or password in it')
}
