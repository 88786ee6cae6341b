import { type Db, prepare } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { ProviderRow } from './migrations.ts'
import type { ProviderQuery } from './schema.ts'

const byId = prepare((db, { id }: { id: string }) =>
  db.selectFrom('storage_providers').selectAll().where('id', '=', id)
)

export const findProvider = async (db: Db, id: string): Promise<ProviderRow | undefined> => (await byId(db, { id }))[0]

export const lockProvider = (tx: Db, id: string) =>
  tx.selectFrom('storage_providers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function defaultProviderId(db: Db): Promise<string> {
  const row = await db.selectFrom('storage_default').select('provider_id').executeTakeFirstOrThrow()
  return row.provider_id
}

/** Locks the default; everybody who changes it, or relies on it, has to do this first. */
export async function lockDefault(tx: Db): Promise<string> {
  const row = await tx.selectFrom('storage_default').select('provider_id').forUpdate().executeTakeFirstOrThrow()
  return row.provider_id
}

export const setDefault = (tx: Db, id: string) => tx.updateTable('storage_default').set({ provider_id: id }).execute()

export const insertProvider = (tx: Db, row: ProviderRow) => tx.insertInto('storage_providers').values(row).execute()

/** Updates all but the last test, which another transaction may be adding. */
export const updateProvider = (tx: Db, { last_test: _, ...row }: ProviderRow) =>
  tx.updateTable('storage_providers').set(row).where('id', '=', row.id).execute()

export const saveTest = (tx: Db, id: string, lastTest: string) =>
  tx.updateTable('storage_providers').set({ last_test: lastTest }).where('id', '=', id).execute()

export const deleteProvider = (tx: Db, id: string) => tx.deleteFrom('storage_providers').where('id', '=', id).execute()

/** Makes the built-in provider the default of a database that has none yet; replicas may do so at the same time. */
export async function seedBuiltIn(tx: Db, row: ProviderRow): Promise<void> {
  await tx
    .insertInto('storage_providers')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await tx
    .insertInto('storage_default')
    .values({ only: 1, provider_id: row.id })
    .onConflict((conflict) => conflict.column('only').doNothing())
    .execute()
}

/** Reads providers and default in one query, or a reader could find no default while it is being changed. */
export function allProviders(db: Db): Promise<ProviderRow[]> {
  return db.selectFrom('storage_providers').selectAll().execute()
}

export function listProviders(db: Db, query: ProviderQuery) {
  let select = db
    .selectFrom('storage_providers')
    .selectAll()
    .select(({ selectFrom }) => selectFrom('storage_default').select('provider_id').as('default_id'))
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  return fetchPage(select, query, { sorts: { createdAt: 'id', name: 'name' }, id: 'id' })
}
