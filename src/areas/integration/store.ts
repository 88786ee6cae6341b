import { type Db, prepare } from '../../engines/metadata/index.ts'
import type { OwnSourceRow } from './migrations.ts'

/** How many a server takes: they are looked through with each list. */
export const MAX_OWN = 500

const byId = prepare((db, { id }: { id: string }) =>
  db.selectFrom('integration_sources').selectAll().where('id', '=', id)
)

export const findOwn = async (db: Db, id: string): Promise<OwnSourceRow | undefined> => (await byId(db, { id }))[0]

export const lockOwn = (tx: Db, id: string) =>
  tx.selectFrom('integration_sources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const allOwn = (db: Db) =>
  db.selectFrom('integration_sources').selectAll().orderBy('id').limit(MAX_OWN).execute()

export const insertOwn = (tx: Db, row: OwnSourceRow) => tx.insertInto('integration_sources').values(row).execute()

export const updateOwn = (tx: Db, row: OwnSourceRow) =>
  tx.updateTable('integration_sources').set(row).where('id', '=', row.id).execute()

export const deleteOwn = (tx: Db, id: string) => tx.deleteFrom('integration_sources').where('id', '=', id).execute()
