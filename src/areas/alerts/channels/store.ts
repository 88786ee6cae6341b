import type { Db } from '../../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { ChannelRow } from '../notifications/migrations.ts'
import type { ChannelQuery } from './schema.ts'

export const findChannel = (db: Db, id: string): Promise<ChannelRow | undefined> =>
  db.selectFrom('alert_channels').selectAll().where('id', '=', id).executeTakeFirst()

export const lockChannel = (tx: Db, id: string): Promise<ChannelRow | undefined> =>
  tx.selectFrom('alert_channels').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Which of these channels there are. They stay so until the transaction ends. */
export async function lockChannels(tx: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  // In one order, so that two who lock several do not wait for each other.
  const rows = await tx
    .selectFrom('alert_channels')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const insertChannel = (tx: Db, row: ChannelRow) => tx.insertInto('alert_channels').values(row).execute()

export const updateChannel = (tx: Db, row: ChannelRow) =>
  tx.updateTable('alert_channels').set(row).where('id', '=', row.id).execute()

/** Its groups go with it; what was sent stays in the log. */
export const deleteChannel = (tx: Db, id: string) => tx.deleteFrom('alert_channels').where('id', '=', id).execute()

/** Has all groups of a channel looked at. */
export const wakeGroups = (tx: Db, channelId: string, nowMs: number) =>
  tx.updateTable('alert_groups').set({ next_ms: nowMs }).where('channel_id', '=', channelId).execute()

export function listChannels(db: Db, query: ChannelQuery) {
  let select = db.selectFrom('alert_channels').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.type !== undefined) select = select.where('type', '=', query.type)
  if (query.enabled !== undefined) select = select.where('enabled', '=', query.enabled ? 1 : 0)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id' }, id: 'id' })
}

/** Notes how sending to a channel fares; that is no change by people, so its version stays. */
export async function noteSend(
  tx: Db,
  id: string,
  fares: Partial<Pick<ChannelRow, 'failures' | 'failing_since' | 'last_error' | 'held_until_ms' | 'last_sent_at'>>
): Promise<void> {
  await tx.updateTable('alert_channels').set(fares).where('id', '=', id).execute()
}
