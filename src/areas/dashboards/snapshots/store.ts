import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { SnapshotRow } from '../shares/migrations.ts'
import type { SnapshotQuery } from './schema.ts'

export const insertSnapshot = (tx: Db, row: SnapshotRow) => tx.insertInto('dashboard_snapshots').values(row).execute()

export const findSnapshot = (db: Db, dashboardId: string, id: string): Promise<SnapshotRow | undefined> =>
  db
    .selectFrom('dashboard_snapshots')
    .selectAll()
    .where('dashboard_id', '=', dashboardId)
    .where('id', '=', id)
    .executeTakeFirst()

export const deleteSnapshot = (tx: Db, id: string) =>
  tx.deleteFrom('dashboard_snapshots').where('id', '=', id).execute()

const ABOUT = ['id', 'dashboard_id', 'name', 'version', 'created_by', 'created_at'] as const

export function listSnapshots(db: Db, dashboardId: string, query: SnapshotQuery) {
  const select = db.selectFrom('dashboard_snapshots').select(ABOUT).where('dashboard_id', '=', dashboardId)
  return fetchPage(select, query, { sorts: { createdAt: 'id' }, id: 'id', defaultSort: '-createdAt' })
}

export async function countSnapshots(db: Db, dashboardId: string): Promise<number> {
  const { count } = await db
    .selectFrom('dashboard_snapshots')
    .where('dashboard_id', '=', dashboardId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
