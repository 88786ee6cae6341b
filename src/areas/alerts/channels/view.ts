import { toIso } from '../../../engines/clock.ts'
import type { ChannelRow } from '../notifications/migrations.ts'
import { readSettings } from './definition.ts'
import type { Channel } from './schema.ts'
import type { ChannelSettings } from './settings.ts'

/** A channel as the API shows it: without its secrets. */
export function toChannel(row: ChannelRow): Channel {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    config: JSON.parse(row.config),
    enabled: row.enabled === 1,
    ...(readSettings(row) as Pick<Channel, keyof ChannelSettings>),
    health: {
      failures: row.failures,
      failingSince: row.failing_since,
      lastError: row.last_error,
      heldUntil: row.held_until_ms === null ? null : toIso(row.held_until_ms),
      lastSentAt: row.last_sent_at
    },
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

/** What a change of a channel is about: how it fares changes without anybody changing it. */
export function factsOf(row: ChannelRow): Omit<Channel, 'health'> {
  const { health: _, ...facts } = toChannel(row)
  return facts
}
