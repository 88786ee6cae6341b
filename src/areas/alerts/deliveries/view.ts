import { toIso } from '../../../engines/clock.ts'
import type { AttemptRow, DeliveryAlertRow, DeliveryRow } from '../notifications/migrations.ts'
import type { BriefDelivery, Delivery, WholeDelivery } from './schema.ts'

function factsOf(row: Omit<DeliveryRow, 'message'>) {
  return {
    id: row.id,
    channelId: row.channel_id,
    channelName: row.channel_name,
    kind: row.kind as Delivery['kind'],
    state: row.state,
    createdAt: row.created_at,
    endedAt: row.ended_at
  }
}

export const toBrief = (row: Omit<DeliveryRow, 'message'>): BriefDelivery => ({
  ...factsOf(row),
  attempts: row.attempts
})

export function toDelivery(row: DeliveryRow, attempts: readonly AttemptRow[] = []): Delivery {
  return {
    ...factsOf(row),
    channelType: row.channel_type,
    title: row.title,
    attempts: attempts.map(({ delivery_id: _, duration_ms, ...attempt }) => ({ ...attempt, durationMs: duration_ms })),
    maxAttempts: row.max_attempts,
    nextAttemptAt: row.next_ms === null ? null : toIso(row.next_ms),
    replayOf: row.replay_of
  }
}

export function toWhole(
  row: DeliveryRow,
  attempts: readonly AttemptRow[] | undefined,
  alerts: readonly DeliveryAlertRow[]
): WholeDelivery {
  const { text } = JSON.parse(row.message) as { text: string }
  return { ...toDelivery(row, attempts), text, alerts: alerts.map(({ alert_id, state }) => ({ id: alert_id, state })) }
}
