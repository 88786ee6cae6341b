import type { Db } from '../../../engines/metadata/index.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import { lockChannels } from '../channels/store.ts'
import type { RuleChannelRow } from '../notifications/migrations.ts'
import type { Definition } from './definition.ts'
import type { RuleUpdate } from './schema.ts'
import { rangeFaults, spanMs } from './spans.ts'

type Routing = Pick<Definition, 'channels' | 'escalation'>

const LEAST_AFTER = '1m'
const MOST_AFTER = '7d'

/** Whether two definitions tell the same channels at the same times. */
export const isSameRouting = (one: Routing, other: Routing): boolean =>
  JSON.stringify([one.channels, one.escalation]) === JSON.stringify([other.channels, other.escalation])

/** What is wrong with the times of an escalation. */
export function escalationFaults({ escalation = [] }: Pick<RuleUpdate, 'escalation'>): FieldError[] {
  let beforeMs = 0
  return escalation.flatMap(({ after }, i) => {
    const pointer = `/escalation/${i}/after`
    const faults = rangeFaults(pointer, after, LEAST_AFTER, MOST_AFTER)
    if (faults.length > 0) return faults
    const afterMs = spanMs(after) as number
    const isLater = afterMs > beforeMs
    beforeMs = afterMs
    return isLater ? [] : [{ pointer, message: 'must be later than the step before; it counts from when it fired' }]
  })
}

/** Writes whom a rule tells, in the transaction that writes the rule; refuses channels that are not there. */
export async function saveChannels(tx: Db, ruleId: string, { channels, escalation }: Routing): Promise<void> {
  const steps = [
    { at: '/channels', channels, afterMs: 0 },
    ...escalation.map((step, i) => ({
      at: `/escalation/${i}/channels`,
      channels: step.channels,
      afterMs: spanMs(step.after) as number
    }))
  ]
  const there = await lockChannels(tx, [...new Set(steps.flatMap((step) => step.channels))])
  const errors = steps.flatMap((step) =>
    step.channels.flatMap((id, i) =>
      there.has(id) ? [] : [{ pointer: `${step.at}/${i}`, message: 'must be the id of a channel' }]
    )
  )
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
  await tx.deleteFrom('alert_rule_channels').where('rule_id', '=', ruleId).execute()
  const rows = steps.flatMap((step, number) =>
    step.channels.map(
      (id): RuleChannelRow => ({ rule_id: ruleId, channel_id: id, step: number, after_ms: step.afterMs })
    )
  )
  if (rows.length > 0) await tx.insertInto('alert_rule_channels').values(rows).execute()
}
