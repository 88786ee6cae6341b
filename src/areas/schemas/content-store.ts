import { sql } from 'kysely'
import { type Db, prepare } from '../../engines/metadata/index.ts'
import { type ContentRow, SETTINGS_ID, type UseRow } from './migrations.ts'

const byId = prepare((db, { id }: { id: number }) => db.selectFrom('schema_contents').selectAll().where('id', '=', id))
export const findContent = async (db: Db, id: number): Promise<ContentRow | undefined> => (await byId(db, { id }))[0]

const byFingerprint = prepare((db, { fingerprint }: { fingerprint: string }) =>
  db.selectFrom('schema_contents').selectAll().where('fingerprint', '=', fingerprint)
)
export const findContentLike = async (db: Db, fingerprint: string): Promise<ContentRow | undefined> =>
  (await byFingerprint(db, { fingerprint }))[0]

const insert = prepare((db, row: ContentRow) =>
  db
    .insertInto('schema_contents')
    .values({ id: row.id, type: row.type, fingerprint: row.fingerprint, text: row.text, refers_to: row.refers_to })
)
export const insertContent = (tx: Db, row: ContentRow) => insert(tx, row)

export const insertUses = async (tx: Db, uses: readonly UseRow[]): Promise<void> => {
  if (uses.length > 0)
    await tx
      .insertInto('schema_uses')
      .values([...uses])
      .execute()
}

const count = prepare((db, { id }: { id: number }) =>
  db
    .updateTable('schema_settings')
    .set({ last_content: sql<number>`last_content + 1` })
    .where('id', '=', id)
    .returning('last_content')
)

/** The next number for a content. Whoever has one makes others wait for the end of the transaction. */
export async function nextContentId(tx: Db): Promise<number> {
  return ((await count(tx, { id: SETTINGS_ID }))[0] as { last_content: number }).last_content
}

/** Where a number was chosen elsewhere: those given from now on come after it. */
export const reserveContentId = (tx: Db, id: number) =>
  tx
    .updateTable('schema_settings')
    .set({ last_content: id })
    .where('id', '=', SETTINGS_ID)
    .where('last_content', '<', id)
    .execute()

/** Removes a text that no version has any more. */
export async function deleteUnused(tx: Db, id: number): Promise<void> {
  const user = await tx.selectFrom('schema_versions').select('number').where('content_id', '=', id).limit(1).execute()
  if (user.length > 0) return
  await tx.deleteFrom('schema_uses').where('content_id', '=', id).execute()
  await tx.deleteFrom('schema_contents').where('id', '=', id).execute()
}
