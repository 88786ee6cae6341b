import type { Message } from '../../../engines/channels/index.ts'
import { toIso } from '../../../engines/clock.ts'
import { type Db, type Metadata, slices } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { AlertRow } from '../migrations.ts'
import type { AttemptRow, ChannelRow, DeliveryAlertRow, DeliveryRow } from '../notifications/migrations.ts'
import type { DeliveryQuery } from './schema.ts'

export interface NewDelivery {
  readonly id: string
  readonly channel: Pick<ChannelRow, 'id' | 'name' | 'type'>
  readonly groupId: string | null
  readonly message: Message
  /** What the message is about, the alerts that it only counts included. */
  readonly alerts: readonly Pick<AlertRow, 'id' | 'state'>[]
  readonly maxAttempts: number
  readonly replayOf: string | null
  readonly nowMs: number
}

export async function insertDelivery(tx: Db, given: NewDelivery): Promise<DeliveryRow> {
  const { id, channel, message, alerts, nowMs } = given
  const row: DeliveryRow = {
    id,
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    group_id: given.groupId,
    kind: message.kind,
    title: message.title,
    message: JSON.stringify(message),
    state: 'waiting',
    attempts: 0,
    max_attempts: given.maxAttempts,
    next_ms: nowMs,
    created_at: toIso(nowMs),
    ended_at: null,
    replay_of: given.replayOf
  }
  await tx.insertInto('alert_deliveries').values(row).execute()
  const about = alerts.map((alert): DeliveryAlertRow => ({ delivery_id: id, alert_id: alert.id, state: alert.state }))
  for (const some of slices(about)) await tx.insertInto('alert_delivery_alerts').values(some).execute()
  return row
}

export const findDelivery = (db: Db, id: string): Promise<DeliveryRow | undefined> =>
  db.selectFrom('alert_deliveries').selectAll().where('id', '=', id).executeTakeFirst()

export const lockDelivery = (tx: Db, id: string): Promise<DeliveryRow | undefined> =>
  tx.selectFrom('alert_deliveries').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Undefined also where somebody else has it: to wait for them while other rows are locked might never end. */
export const takeDelivery = (tx: Db, dialect: Metadata['dialect'], id: string): Promise<DeliveryRow | undefined> =>
  tx
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .$if(dialect === 'postgres', (query) => query.skipLocked())
    .executeTakeFirst()

export const updateDelivery = (tx: Db, id: string, changed: Partial<DeliveryRow>) =>
  tx.updateTable('alert_deliveries').set(changed).where('id', '=', id).execute()

export type DueDelivery = Pick<DeliveryRow, 'id' | 'kind'>

/** Those of a channel that are to be tried now: those that were tried least first, so that one that never works holds up no other. */
export const dueDeliveries = (db: Db, channelId: string, nowMs: number, limit: number): Promise<DueDelivery[]> =>
  db
    .selectFrom('alert_deliveries')
    .select(['id', 'kind'])
    .where('channel_id', '=', channelId)
    .where('next_ms', '<=', nowMs)
    .orderBy('attempts')
    .orderBy('id')
    .limit(limit)
    .execute()

/** The earliest time at which something of a channel is to be tried. */
export async function nextTryMs(db: Db, channelId: string): Promise<number | null> {
  const { ms } = await db
    .selectFrom('alert_deliveries')
    .select((select) => select.fn.min<number | null>('next_ms').as('ms'))
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return ms === null ? null : Number(ms)
}

/** Channels for which something has been waiting since before a time although it could be sent. */
export async function channelsWithWork(db: Db, beforeMs: number, nowMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_deliveries')
    .leftJoin('alert_channels', 'alert_channels.id', 'alert_deliveries.channel_id')
    .select('alert_deliveries.channel_id')
    .distinct()
    .where('alert_deliveries.next_ms', '<=', beforeMs)
    .where((where) =>
      where.or([
        where('alert_channels.id', 'is', null),
        where('alert_deliveries.kind', '=', 'test'),
        where.and([
          where('alert_channels.enabled', '=', 1),
          where.or([
            where('alert_channels.held_until_ms', 'is', null),
            where('alert_channels.held_until_ms', '<=', nowMs)
          ])
        ])
      ])
    )
    .limit(limit)
    .execute()
  return rows.map(({ channel_id }) => channel_id)
}

/** Has everything tried that waits for a channel, but for what is under way: of that the last attempt is not known yet. */
export async function tryNow(tx: Db, channelId: string, nowMs: number): Promise<void> {
  await tx
    .updateTable('alert_deliveries')
    .set({ next_ms: nowMs })
    .where('channel_id', '=', channelId)
    .where('next_ms', '>', nowMs)
    .where('attempts', '=', (known) =>
      known
        .selectFrom('alert_attempts')
        .select((select) => select.fn.countAll<number>().as('count'))
        .whereRef('alert_attempts.delivery_id', '=', 'alert_deliveries.id')
    )
    .execute()
}

export const insertAttempt = (tx: Db, row: AttemptRow) => tx.insertInto('alert_attempts').values(row).execute()

/** Attempts by delivery, the first one first. */
export async function attemptsOf(db: Db, ids: readonly string[]): Promise<Map<string, AttemptRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('alert_attempts')
    .selectAll()
    .where('delivery_id', 'in', ids)
    .orderBy('delivery_id')
    .orderBy('number')
    .execute()
  return Map.groupBy(rows, ({ delivery_id }) => delivery_id)
}

export const alertsOf = (db: Db, deliveryId: string): Promise<DeliveryAlertRow[]> =>
  db.selectFrom('alert_delivery_alerts').selectAll().where('delivery_id', '=', deliveryId).orderBy('alert_id').execute()

export function listDeliveries(db: Db, query: DeliveryQuery) {
  let select = db.selectFrom('alert_deliveries').selectAll()
  if (query.channelId !== undefined) select = select.where('channel_id', '=', query.channelId)
  if (query.state !== undefined) select = select.where('state', '=', query.state)
  if (query.kind !== undefined) select = select.where('kind', '=', query.kind)
  if (query.alertId !== undefined) {
    const about = db.selectFrom('alert_delivery_alerts').select('delivery_id').where('alert_id', '=', query.alertId)
    select = select.where('id', 'in', about)
  }
  return fetchPage(select, query, { sorts: { createdAt: 'id' }, id: 'id', defaultSort: '-createdAt' })
}

/** Deletes some deliveries that ended before a time; answers how many. */
export async function deleteOldDeliveries(tx: Db, before: string, limit: number): Promise<number> {
  const old = await tx
    .selectFrom('alert_deliveries')
    .select('id')
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(limit)
    .execute()
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  await tx.deleteFrom('alert_attempts').where('delivery_id', 'in', ids).execute()
  await tx.deleteFrom('alert_delivery_alerts').where('delivery_id', 'in', ids).execute()
  await tx.deleteFrom('alert_deliveries').where('id', 'in', ids).execute()
  return ids.length
}
