import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { SilenceRow } from './migrations.ts'
import type { Silence, SilenceQuery, SilenceState } from './schema.ts'

export const findSilence = (db: Db, id: string): Promise<SilenceRow | undefined> =>
  db.selectFrom('alert_silences').selectAll().where('id', '=', id).executeTakeFirst()

export const lockSilence = (tx: Db, id: string): Promise<SilenceRow | undefined> =>
  tx.selectFrom('alert_silences').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertSilence = (tx: Db, row: SilenceRow) => tx.insertInto('alert_silences').values(row).execute()

export const updateSilence = (tx: Db, row: SilenceRow) =>
  tx.updateTable('alert_silences').set(row).where('id', '=', row.id).execute()

/** How many have not expired. */
export async function countUnexpired(db: Db, now: string): Promise<number> {
  const counting = db.selectFrom('alert_silences').select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await counting.where('ends_at', '>', now).executeTakeFirstOrThrow()).count)
}

/** Those of a moment, that which lasts longest first; bounded by how many there may be. */
export function activeSilences(db: Db, nowMs: number): Promise<Pick<SilenceRow, 'id' | 'matchers'>[]> {
  const now = toIso(nowMs)
  return db
    .selectFrom('alert_silences')
    .select(['id', 'matchers'])
    .where('ends_at', '>', now)
    .where('starts_at', '<=', now)
    .orderBy('ends_at', 'desc')
    .orderBy('id')
    .execute()
}

export function listSilences(db: Db, { q, state, ...query }: SilenceQuery, now: string) {
  let select = db.selectFrom('alert_silences').selectAll()
  if (q !== undefined) select = select.where(contains('reason', q))
  if (state === 'expired') select = select.where('ends_at', '<=', now)
  if (state === 'active') select = select.where('ends_at', '>', now).where('starts_at', '<=', now)
  if (state === 'pending') select = select.where('ends_at', '>', now).where('starts_at', '>', now)
  return fetchPage(select, query, {
    sorts: { createdAt: 'id', startsAt: 'starts_at', endsAt: 'ends_at' },
    id: 'id',
    defaultSort: '-createdAt'
  })
}

/** Deletes some silences that expired before a time; answers how many. */
export async function deleteOldSilences(tx: Db, before: string, limit: number): Promise<number> {
  const old = await tx
    .selectFrom('alert_silences')
    .select('id')
    .where('ends_at', '<', before)
    .orderBy('ends_at')
    .limit(limit)
    .execute()
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  await tx.deleteFrom('alert_silences').where('id', 'in', ids).execute()
  return ids.length
}

export function stateOf({ starts_at, ends_at }: Pick<SilenceRow, 'starts_at' | 'ends_at'>, now: string): SilenceState {
  if (ends_at <= now) return 'expired'
  return starts_at <= now ? 'active' : 'pending'
}

export function toSilence(row: SilenceRow, now: string): Silence {
  return {
    id: row.id,
    matchers: JSON.parse(row.matchers),
    reason: row.reason,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    state: stateOf(row, now),
    createdBy: row.created_by,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}
