import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { HealthProblem } from '../../../http/health-problem.ts'
import { INSTANCE_STATES, type InstanceState } from '../evaluation/states.ts'
import { type FailingChannel, sendingOf } from './failing.ts'

/** Later than this is late: an evaluation may wait for others, and for a replica to take over. */
const LATE_MS = 60_000

/** How rules and alerts fare, all replicas together. */
export interface Condition {
  /** `new` are those that were not evaluated yet. */
  readonly rules: Readonly<Record<InstanceState | 'new' | 'disabled', number>>
  readonly alerts: Readonly<Record<'firing' | 'acknowledged', number>>
  readonly channels: Readonly<Record<'well' | 'failing', number>>
  /** Messages that did not arrive yet, and how long the first of them has been waiting. */
  readonly waiting: number
  readonly waitingMs: number
  /** Some of the channels that fail. */
  readonly failing: readonly FailingChannel[]
  /** How long the rule waits that should have been evaluated first. */
  readonly lateMs: number
}

export async function conditionOf(db: Db, nowMs: number): Promise<Condition> {
  const none = Object.fromEntries(INSTANCE_STATES.map((state) => [state, 0])) as Record<InstanceState, number>
  const counted = { ...none, new: 0, disabled: 0 }
  const byState = await db
    .selectFrom('alert_rules')
    .select((select) => ['enabled', 'state', select.fn.countAll<number>().as('rules')])
    .groupBy(['enabled', 'state'])
    .execute()
  for (const { enabled, state, rules } of byState)
    counted[enabled === 0 ? 'disabled' : (state ?? 'new')] += Number(rules)
  const alerts = { firing: 0, acknowledged: 0 }
  for (const state of ['firing', 'acknowledged'] as const) {
    const { count } = await db
      .selectFrom('alerts')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('state', '=', state)
      .executeTakeFirstOrThrow()
    alerts[state] = Number(count)
  }
  const { first } = await db
    .selectFrom('alert_rules')
    .select((select) => select.fn.min<number | null>('next_ms').as('first'))
    .where('enabled', '=', 1)
    .executeTakeFirstOrThrow()
  const lateMs = Math.max(0, nowMs - Number(first ?? nowMs))
  return { rules: counted, alerts, lateMs, ...(await sendingOf(db, nowMs)) }
}

/** Throws what somebody should look at, in words for anybody: names and answers of receivers are not for everybody. */
export function requireWell({ rules, lateMs, failing: failingChannels, channels }: Condition, nowMs: number): void {
  const failing = `${rules.error} alert ${rules.error === 1 ? 'rule' : 'rules'}`
  const wrong = [
    ...(rules.error > 0 ? [`can't be evaluated: ${failing} (GET /api/alerts/rules?state=error says why)`] : []),
    ...(lateMs > LATE_MS
      ? [`alert rules have been evaluated late since ${toIso(nowMs - lateMs)} (see the check jobs, and the log)`]
      : []),
    ...failingChannels.map(
      ({ id, since, code }) =>
        `nothing can be sent to the channel ${id} since ${since}: ${code} (GET /api/alerts/channels/${id} says more)`
    ),
    ...(channels.failing > failingChannels.length
      ? [`nor to ${channels.failing - failingChannels.length} more channels`]
      : [])
  ]
  if (wrong.length > 0) throw new HealthProblem(wrong.join('; '))
}
