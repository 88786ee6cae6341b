import type { Role } from '../../../engines/identity/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { ClearanceRow } from '../migrations.ts'

/** What each role may see, with the rank of its level. */
export const listClearances = (db: Db) =>
  db
    .selectFrom('classification_clearances')
    .leftJoin('classification_levels', 'classification_levels.name', 'classification_clearances.level')
    .select(['role', 'level', 'rank'])
    .execute()

export const findClearances = (db: Db) => db.selectFrom('classification_clearances').selectAll().execute()

export const lockClearance = (tx: Db, role: Role) =>
  tx.selectFrom('classification_clearances').selectAll().where('role', '=', role).forUpdate().executeTakeFirst()

export const saveClearance = (tx: Db, row: ClearanceRow) =>
  tx
    .insertInto('classification_clearances')
    .values(row)
    .onConflict((conflict) => conflict.column('role').doUpdateSet(row))
    .execute()

/** The roles whose clearance is exactly this level. */
export async function rolesWith(db: Db, level: string): Promise<Role[]> {
  const rows = await db
    .selectFrom('classification_clearances')
    .select('role')
    .where('level', '=', level)
    .orderBy('role')
    .execute()
  return rows.map(({ role }) => role)
}
