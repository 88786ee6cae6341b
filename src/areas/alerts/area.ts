import './errors.ts'
import { type AreaNeeds, declareArea } from '../../area.ts'
import { type Db, hasRows } from '../../engines/metadata/index.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'alert-rule.created': { readonly id: string }
    'alert-rule.updated': { readonly id: string }
    'alert-rule.deleted': { readonly id: string }
    'alert.updated': { readonly id: string }
    'alert-delivery.created': { readonly id: string }
    'alert-silence.created': { readonly id: string }
    'alert-silence.updated': { readonly id: string }
    'alert-inhibition.created': { readonly id: string }
    'alert-inhibition.updated': { readonly id: string }
    'alert-inhibition.deleted': { readonly id: string }
    'alert-channel.created': { readonly id: string }
    'alert-channel.updated': { readonly id: string }
    'alert-channel.deleted': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    alerts: 'alert-rule' | 'alert' | 'alert-channel' | 'alert-delivery' | 'alert-silence' | 'alert-inhibition'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    alerts: 'read' | 'write'
  }
}

export const alerts = declareArea({
  name: 'alerts',
  about:
    'Rules that watch points, data and what happens, a history of every time that one fired, and who is told of it.',
  paths: ['/api/alerts'],
  permissions: ['alerts:read', 'alerts:write'],
  migrations: {
    ids: [
      'alerts/001-rules',
      'alerts/002-instances-and-history',
      'alerts/003-channels',
      'alerts/004-notifications',
      'alerts/005-silences'
    ],
    load: async () => (await import('./migrations.ts')).alertMigrations
  },
  jobs: {
    'alerts.evaluate': { everyMs: 5000, isNeeded: hasWork },
    'alerts.evaluate-sql': {},
    'alerts.tell': { concurrency: 1 },
    // Each sends to one channel, and waits for it most of the time.
    'alerts.send': { concurrency: 16 },
    'alerts.prune': { everyMs: 3600_000, isNeeded: hasEnded }
  },
  findUsers: async (...asked) => (await import('./rules/store.ts')).usersOf(...asked),
  checks: (needs) => [{ name: 'alerts', vital: false, run: () => checkAlerts(needs) }],
  metrics: (needs) => [
    {
      name: 'alerts',
      render: async () => (await import('./health/metrics.ts')).renderAlertMetrics(needs, needs.loaded('alerts'))
    }
  ],
  alertEvents: {
    'alert-rule.failing': {
      about: 'A rule can’t be evaluated; it is over when it can, or is disabled.',
      labels: ['alertRule', 'alertRuleName'],
      since: async (db) => (await import('./health/failing.ts')).failingRules(db)
    },
    'alert-channel.failing': {
      about: 'Nothing could be sent to a channel for a minute; it is over when something was.',
      labels: ['channel', 'channelName'],
      since: async (db, _cursor, nowMs) => (await import('./health/failing.ts')).failingSince(db, nowMs)
    }
  },
  examine: async (installation) => (await import('./health/examine.ts')).checkAlerts(installation),
  load: async () => (await import('./body.ts')).alertsBody
})

/** Rules to evaluate, channels to tell, or acknowledgements that run out. */
async function hasWork(db: Db): Promise<boolean> {
  if (await hasRows(db.selectFrom('alert_rules').where('enabled', '=', 1))) return true
  if (await hasRows(db.selectFrom('alert_groups').where('next_ms', 'is not', null))) return true
  if (await hasRows(db.selectFrom('alert_deliveries').where('next_ms', 'is not', null))) return true
  return hasRows(
    db.selectFrom('alerts').where('state', '=', 'acknowledged').where('acknowledged_until', 'is not', null)
  )
}

/** Alerts that are resolved, messages that were sent, or silences, which all end one day. */
async function hasEnded(db: Db): Promise<boolean> {
  if (await hasRows(db.selectFrom('alerts').where('state', '=', 'resolved'))) return true
  if (await hasRows(db.selectFrom('alert_deliveries').where('ended_at', 'is not', null))) return true
  return hasRows(db.selectFrom('alert_silences'))
}

async function checkAlerts({ metadata, clock }: AreaNeeds): Promise<void> {
  const { conditionOf, requireWell } = await import('./health/condition.ts')
  requireWell(await conditionOf(metadata.db, clock.now()), clock.now())
}
