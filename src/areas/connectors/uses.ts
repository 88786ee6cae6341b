import type { FindUsers } from '../../http/in-use.ts'

/** The connectors of a source that somebody has added. */
export const usersOf: FindUsers = async (db, { type, id }, limit) => {
  if (type !== 'integration-source') return []
  const rows = await db
    .selectFrom('connectors')
    .select(['id', 'name'])
    .where('source_id', '=', id)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ type: 'connector', ...row }))
}
