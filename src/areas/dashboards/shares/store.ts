import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { ShareRow, ShareViewRow } from './migrations.ts'
import type { ShareQuery } from './schema.ts'

const KEPT_VIEWS = 20

export const insertShare = (tx: Db, row: ShareRow) => tx.insertInto('dashboard_shares').values(row).execute()

export const findShare = (db: Db, dashboardId: string, id: string): Promise<ShareRow | undefined> =>
  db
    .selectFrom('dashboard_shares')
    .selectAll()
    .where('dashboard_id', '=', dashboardId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findByToken = (db: Db, tokenHash: string): Promise<ShareRow | undefined> =>
  db.selectFrom('dashboard_shares').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()

export const lockShare = (tx: Db, id: string): Promise<ShareRow | undefined> =>
  tx.selectFrom('dashboard_shares').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export function listShares(db: Db, dashboardId: string, query: ShareQuery) {
  const select = db.selectFrom('dashboard_shares').selectAll().where('dashboard_id', '=', dashboardId)
  return fetchPage(select, query, { sorts: { createdAt: 'id' }, id: 'id', defaultSort: '-createdAt' })
}

export async function countShares(db: Db, dashboardId: string): Promise<number> {
  const { count } = await db
    .selectFrom('dashboard_shares')
    .where('dashboard_id', '=', dashboardId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const revokeShare = (tx: Db, id: string, revokedAt: string) =>
  tx.updateTable('dashboard_shares').set({ revoked_at: revokedAt }).where('id', '=', id).execute()

export const setFailures = (tx: Db, id: string, failures: number, lockedUntil: string | null) =>
  tx.updateTable('dashboard_shares').set({ failures, locked_until: lockedUntil }).where('id', '=', id).execute()

/** Counts a view, and keeps the last few of them. A share that is gone meanwhile has none. */
export async function noteView(tx: Db, view: Omit<ShareViewRow, 'number'>): Promise<void> {
  const { share_id, viewed_at } = view
  const share = await lockShare(tx, share_id)
  if (share === undefined) return
  const number = share.views + 1
  await tx
    .updateTable('dashboard_shares')
    .set({ views: number, last_viewed_at: viewed_at })
    .where('id', '=', share_id)
    .execute()
  await tx
    .insertInto('dashboard_share_views')
    .values({ ...view, number })
    .execute()
  await tx
    .deleteFrom('dashboard_share_views')
    .where('share_id', '=', share_id)
    .where('number', '<=', number - KEPT_VIEWS)
    .execute()
}

export const lastViews = (db: Db, shareId: string): Promise<ShareViewRow[]> =>
  db
    .selectFrom('dashboard_share_views')
    .selectAll()
    .where('share_id', '=', shareId)
    .orderBy('number', 'desc')
    .limit(KEPT_VIEWS)
    .execute()
