import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { DashboardRow, VersionRow } from '../migrations.ts'
import type { VersionQuery } from './schema.ts'

/** Versions of a dashboard that are kept. */
const MAX_VERSIONS = 500

/** Keeps what a dashboard has become, in the transaction that changes it. */
export async function saveVersion(tx: Db, row: DashboardRow, actor: Actor, message: string): Promise<void> {
  const version: VersionRow = {
    dashboard_id: row.id,
    version: row.version,
    content: row.content,
    message,
    changed_by: actor.id,
    changed_at: row.updated_at
  }
  await tx.insertInto('dashboard_versions').values(version).execute()
  await tx
    .deleteFrom('dashboard_versions')
    .where('dashboard_id', '=', row.id)
    .where('version', '<=', row.version - MAX_VERSIONS)
    .execute()
}

export const findVersion = (db: Db, id: string, version: number): Promise<VersionRow | undefined> =>
  db
    .selectFrom('dashboard_versions')
    .selectAll()
    .where('dashboard_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()

export function listVersions(db: Db, id: string, query: VersionQuery) {
  const select = db.selectFrom('dashboard_versions').selectAll().where('dashboard_id', '=', id)
  const sorts = { version: 'version' } as const
  return fetchPage(select, query, { sorts, id: 'dashboard_id', defaultSort: '-version', integers: ['version'] })
}
