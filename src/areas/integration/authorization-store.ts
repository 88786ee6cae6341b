import type { Db } from '../../engines/metadata/index.ts'
import type { AuthorizationRow } from './authorization-migrations.ts'

/** How many one user has at a time; the oldest make room. */
const MAX_OF_USER = 50

const TABLE = 'integration_authorizations'

/** Adds one, and drops what has expired and what is too much. */
export async function insertAuthorization(tx: Db, row: AuthorizationRow, nowMs: number): Promise<void> {
  await tx.deleteFrom(TABLE).where('expires_ms', '<=', nowMs).execute()
  const [oldest] = await tx
    .selectFrom(TABLE)
    .select('id')
    .where('created_by', '=', row.created_by)
    .orderBy('id', 'desc')
    .offset(MAX_OF_USER - 1)
    .limit(1)
    .execute()
  if (oldest !== undefined) {
    await tx.deleteFrom(TABLE).where('created_by', '=', row.created_by).where('id', '<=', oldest.id).execute()
  }
  await tx.insertInto(TABLE).values(row).execute()
}

/** One that has not expired, of the user who began it. */
export const findAuthorization = (db: Db, id: string, userId: string, nowMs: number) =>
  db
    .selectFrom(TABLE)
    .selectAll()
    .where('id', '=', id)
    .where('created_by', '=', userId)
    .where('expires_ms', '>', nowMs)
    .executeTakeFirst()

/** The one that waits for this state, which nobody else gets from then on. */
export async function claimAuthorization(tx: Db, stateHash: string, nowMs: number) {
  const row = await tx
    .selectFrom(TABLE)
    .selectAll()
    .where('state_hash', '=', stateHash)
    .where('status', '=', 'waiting')
    .where('expires_ms', '>', nowMs)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  await tx.updateTable(TABLE).set({ status: 'exchanging' }).where('id', '=', row.id).execute()
  return row
}

type Ending = Pick<AuthorizationRow, 'status' | 'message' | 'expires_ms' | 'sealed'>

export const endAuthorization = (tx: Db, id: string, ending: Ending) =>
  tx.updateTable(TABLE).set(ending).where('id', '=', id).execute()

/** Answers whether it was still there. */
export async function deleteAuthorization(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom(TABLE).where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
