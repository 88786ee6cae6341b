import { type AreaNeeds, declareArea } from '../../area.ts'
import { type Db, hasRows } from '../../engines/metadata/index.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'alert-rule.created': { readonly id: string }
    'alert-rule.updated': { readonly id: string }
    'alert-rule.deleted': { readonly id: string }
    'alert.updated': { readonly id: string }
    'alert-channel.created': { readonly id: string }
    'alert-channel.updated': { readonly id: string }
    'alert-channel.deleted': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    alerts: 'alert-rule' | 'alert' | 'alert-channel'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    alerts: 'read' | 'write'
  }
}

export const alerts = declareArea({
  name: 'alerts',
  about: 'Rules that watch points, data and what happens, and a history of every time that one fired.',
  paths: ['/api/alerts'],
  permissions: ['alerts:read', 'alerts:write'],
  migrations: {
    ids: ['alerts/001-rules', 'alerts/002-instances-and-history', 'alerts/003-channels', 'alerts/004-notifications'],
    load: async () => (await import('./migrations.ts')).alertMigrations
  },
  jobs: {
    'alerts.evaluate': { everyMs: 5000, isNeeded: hasWork },
    'alerts.evaluate-sql': {},
    'alerts.prune': {
      everyMs: 3600_000,
      isNeeded: (db) => hasRows(db.selectFrom('alerts').where('state', '=', 'resolved'))
    }
  },
  findUsers: async (...asked) => (await import('./rules/store.ts')).usersOf(...asked),
  checks: (needs) => [{ name: 'alerts', vital: false, run: () => checkAlerts(needs) }],
  metrics: (needs) => [
    {
      name: 'alerts',
      render: async () =>
        (await import('./health/metrics.ts')).renderAlertMetrics(needs, needs.loaded('alerts')?.totals)
    }
  ],
  examine: async (installation) => (await import('./health/examine.ts')).checkAlerts(installation),
  load: async () => (await import('./body.ts')).alertsBody
})

/** Rules to evaluate, or acknowledgements that run out. */
async function hasWork(db: Db): Promise<boolean> {
  if (await hasRows(db.selectFrom('alert_rules').where('enabled', '=', 1))) return true
  return hasRows(
    db.selectFrom('alerts').where('state', '=', 'acknowledged').where('acknowledged_until', 'is not', null)
  )
}

async function checkAlerts({ metadata, clock }: AreaNeeds): Promise<void> {
  const { conditionOf, requireWell } = await import('./health/condition.ts')
  requireWell(await conditionOf(metadata.db, clock.now()), clock.now())
}
