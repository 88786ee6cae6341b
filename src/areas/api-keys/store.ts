import { type Db, prepare } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { ApiKeyRow, RevokedKeyRow } from './migrations.ts'
import type { ApiKey, ApiKeyQuery } from './schema.ts'

/** Databases limit the number of values in a statement. */
const PARENTS_AT_ONCE = 500

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('api_keys').selectAll().where('id', '=', id))

const byHash = prepare((db, { hash }: { hash: string }) =>
  db.selectFrom('api_keys').selectAll().where('hash', '=', hash)
)

const revokedByHash = prepare((db, { hash }: { hash: string }) =>
  db.selectFrom('api_keys_revoked').selectAll().where('hash', '=', hash)
)

const insert = prepare((db, row: ApiKeyRow) =>
  db.insertInto('api_keys').values({
    id: row.id,
    owner_id: row.owner_id,
    name: row.name,
    role: row.role,
    scopes: row.scopes,
    hash: row.hash,
    hint: row.hint,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    created_at: row.created_at,
    made_with: row.made_with
  })
)

export const insertApiKey = (tx: Db, row: ApiKeyRow) => insert(tx, row)

export const findApiKey = async (db: Db, id: string) => (await byId(db, { id }))[0]

export const findHash = async (db: Db, hash: string) => (await byHash(db, { hash }))[0]

/** Locks a key, so that it can't be revoked before the transaction ends; undefined where it was revoked. */
export const lockApiKey = (tx: Db, id: string) =>
  tx.selectFrom('api_keys').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Deletes the keys that were made with a key, those that were made with them, and so on. */
export async function deleteDescendants(tx: Db, id: string): Promise<ApiKeyRow[]> {
  const deleted: ApiKeyRow[] = []
  let parents = [id]
  for (let next = parents.splice(0, PARENTS_AT_ONCE); next.length > 0; next = parents.splice(0, PARENTS_AT_ONCE)) {
    const rows = await tx.deleteFrom('api_keys').where('made_with', 'in', next).returningAll().execute()
    deleted.push(...rows)
    parents = [...parents, ...rows.map((row) => row.id)]
  }
  return deleted
}

export const deleteApiKey = (tx: Db, id: string) =>
  tx.deleteFrom('api_keys').where('id', '=', id).returningAll().executeTakeFirst()

const ROWS_AT_ONCE = 100

/** Remembers the owners of revoked keys, and forgets those revoked before a time. */
export async function rememberRevoked(tx: Db, rows: readonly RevokedKeyRow[], forgetBefore: string): Promise<void> {
  await tx.deleteFrom('api_keys_revoked').where('revoked_at', '<', forgetBefore).execute()
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await tx
      .insertInto('api_keys_revoked')
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .execute()
  }
}

export const findRevoked = async (db: Db, hash: string) => (await revokedByHash(db, { hash }))[0]

export const touchApiKey = (tx: Db, id: string, lastUsedAt: string) =>
  tx.updateTable('api_keys').set({ last_used_at: lastUsedAt }).where('id', '=', id).execute()

export function listApiKeys(db: Db, query: ApiKeyQuery, ownerId: string | undefined) {
  let select = db.selectFrom('api_keys').selectAll()
  if (ownerId !== undefined) select = select.where('owner_id', '=', ownerId)
  if (query.owner !== undefined) select = select.where('owner_id', '=', query.owner)
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  return fetchPage(select, query, { sorts: { createdAt: 'id', name: 'name' }, id: 'id' })
}

export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    ownerId: row.owner_id,
    role: row.role,
    scopes: row.scopes === null ? null : JSON.parse(row.scopes),
    hint: row.hint,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    madeWith: row.made_with
  }
}
