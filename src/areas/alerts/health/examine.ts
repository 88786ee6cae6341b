import type { Db } from '../../../engines/metadata/index.ts'
import { type Finding, type Installation, ok, warn } from '../../../finding.ts'
import { conditionOf } from './condition.ts'

const SUBJECT = 'alerts'
const MAX_NAMED = 5
const MAX_MESSAGE_CHARS = 300

/** Rules that can't be evaluated, each with the reason. Being late is a matter of health: a server that is stopped evaluates nothing. */
export async function checkAlerts({ metadata, clock }: Installation): Promise<Finding[]> {
  if (metadata === undefined || !(await areThere(metadata.db))) return []
  const { db } = metadata
  const condition = await conditionOf(db, clock.now())
  const total = Object.values(condition.rules).reduce((sum, count) => sum + count, 0)
  if (total === 0) return [ok(SUBJECT, 'no rules yet')]
  const found = (await failing(db)).map(({ name, error }) =>
    warn(SUBJECT, `the rule ${JSON.stringify(name)} can't be evaluated: ${shown(error ?? 'see its instances')}`)
  )
  const others = condition.rules.error - found.length
  if (others > 0) found.push(warn(SUBJECT, `so can't ${others} more: GET /api/alerts/rules?state=error has them`))
  found.push(...failingChannels(condition))
  if (found.length > 0) return found
  return [
    ok(
      SUBJECT,
      `${total} rules, ${condition.alerts.firing} alerts firing, ${condition.alerts.acknowledged} acknowledged`
    )
  ]
}

function failingChannels({ failing, channels }: Awaited<ReturnType<typeof conditionOf>>): Finding[] {
  const found = failing.map(({ name, since, error }) =>
    warn(SUBJECT, `nothing can be sent to the channel ${JSON.stringify(name)} since ${since}: ${shown(error)}`)
  )
  const others = channels.failing - found.length
  if (others > 0) found.push(warn(SUBJECT, `nor to ${others} more: GET /api/alerts/channels has them`))
  return found
}

/** In a database of an older version they may not be. */
async function areThere(db: Db): Promise<boolean> {
  const names = new Set((await db.introspection.getTables()).map(({ name }) => name))
  return ['alert_rules', 'alerts', 'alert_channels', 'alert_deliveries'].every((name) => names.has(name))
}

const failing = (db: Db) =>
  db
    .selectFrom('alert_rules')
    .select(['name', 'error'])
    .where('enabled', '=', 1)
    .where('state', '=', 'error')
    .orderBy('id')
    .limit(MAX_NAMED)
    .execute()

/** Some of it may come from another server. */
const shown = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, MAX_MESSAGE_CHARS)
