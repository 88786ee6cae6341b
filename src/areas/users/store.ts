import { type Db, prepare } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { UserRow } from './migrations.ts'
import type { User, UserQuery } from './schema.ts'

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('users').selectAll().where('id', '=', id))

const bySubject = prepare((db, { issuer, subject }: { issuer: string; subject: string }) =>
  db.selectFrom('users').selectAll().where('issuer', '=', issuer).where('subject', '=', subject)
)

export const findUser = async (db: Db, id: string) => (await byId(db, { id }))[0]

export const findSubject = async (db: Db, issuer: string, subject: string) =>
  (await bySubject(db, { issuer, subject }))[0]

export const lockUser = (tx: Db, id: string) =>
  tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Adds the user unless another request has just done so; answers the existing row. */
export async function insertUser(tx: Db, row: UserRow): Promise<{ row: UserRow; added: boolean }> {
  const inserted = await tx
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (inserted !== undefined) return { row: inserted, added: true }
  return { row: (await findSubject(tx, row.issuer, row.subject)) as UserRow, added: false }
}

export const updateUser = (tx: Db, id: string, change: Partial<UserRow>) =>
  tx
    .updateTable('users')
    .set((expression) => ({ ...change, version: expression('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Updates when the user was last seen. That is no change of the user: the version stays. */
export const touchUser = (tx: Db, id: string, lastSeenAt: string) =>
  tx.updateTable('users').set({ last_seen_at: lastSeenAt }).where('id', '=', id).execute()

export function listUsers(db: Db, query: UserQuery) {
  let select = db.selectFrom('users').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.role !== undefined) select = select.where('roles', 'like', `%"${query.role}"%`)
  if (query.disabled !== undefined) select = select.where('disabled', '=', query.disabled ? 1 : 0)
  const sorts = { name: 'name', createdAt: 'created_at', lastSeenAt: 'last_seen_at' } as const
  return fetchPage(select, query, { sorts, id: 'id' })
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    subject: row.subject,
    email: row.email,
    name: row.name,
    roles: JSON.parse(row.roles),
    disabled: row.disabled === 1,
    version: row.version,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at
  }
}
