import { sql } from 'kysely'
import { type Db, prepare } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import { type ContentRow, type SchemaRow, SETTINGS_ID, type SettingsRow, type UseRow } from './migrations.ts'
import type { SchemaQuery } from './schema.ts'

const schemaById = prepare((db, { id }: { id: string }) => db.selectFrom('schemas').selectAll().where('id', '=', id))
const byName = prepare((db, { name }: { name: string }) =>
  db.selectFrom('schemas').selectAll().where('name', '=', name)
)

export const findSchema = async (db: Db, id: string): Promise<SchemaRow | undefined> =>
  (await schemaById(db, { id }))[0]

export const findSchemaByName = async (db: Db, name: string): Promise<SchemaRow | undefined> =>
  (await byName(db, { name }))[0]

const lockById = prepare((db, { id }: { id: string }) =>
  db.selectFrom('schemas').selectAll().where('id', '=', id).forUpdate()
)

/** Locks a schema, so that nobody else changes it or its versions before the transaction ends. */
export const lockSchema = async (tx: Db, id: string): Promise<SchemaRow | undefined> => (await lockById(tx, { id }))[0]

const insertSchemaRow = prepare((db, row: SchemaRow) =>
  db.insertInto('schemas').values({
    id: row.id,
    name: row.name,
    type: row.type,
    compatibility: row.compatibility,
    mode: row.mode,
    description: row.description,
    tags: row.tags,
    last_number: row.last_number,
    version: row.version,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: row.deleted_at
  })
)
export const insertSchema = (tx: Db, row: SchemaRow) => insertSchemaRow(tx, row)

const update = prepare((db, row: SchemaRow) =>
  db
    .updateTable('schemas')
    .set({
      type: row.type,
      compatibility: row.compatibility,
      mode: row.mode,
      description: row.description,
      tags: row.tags,
      last_number: row.last_number,
      version: row.version,
      updated_at: row.updated_at,
      deleted_at: row.deleted_at
    })
    .where('id', '=', row.id)
)
export const updateSchema = (tx: Db, row: SchemaRow) => update(tx, row)

export const deleteSchema = (tx: Db, id: string) => tx.deleteFrom('schemas').where('id', '=', id).execute()

export function listSchemas(db: Db, query: SchemaQuery) {
  // A row that never had a version only holds settings of a subject.
  let select = db.selectFrom('schemas').selectAll().where('last_number', '>', 0)
  if (query.deleted !== true) select = select.where('deleted_at', 'is', null)
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.type !== undefined) select = select.where('type', '=', query.type)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id', updatedAt: 'updated_at' }, id: 'id' })
}

export interface Counts {
  readonly versions: number
  readonly latest: number | null
}

/** How many versions schemas have, and which of them is the newest in force. */
export async function countVersions(db: Db, ids: readonly string[]): Promise<Map<string, Counts>> {
  if (ids.length === 0) return new Map()
  const inForce = sql<number | null>`max(case when state in ('enabled', 'deprecated') then number end)`
  const rows = await db
    .selectFrom('schema_versions')
    .select(['schema_id', sql<number>`count(*)`.as('versions'), inForce.as('latest')])
    .where('schema_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .groupBy('schema_id')
    .execute()
  return new Map(rows.map(({ schema_id: id, versions, latest }) => [id, { versions, latest }]))
}

const settings = prepare((db, { id }: { id: number }) =>
  db.selectFrom('schema_settings').selectAll().where('id', '=', id)
)

/** The settings of the registry, for schemas that have none of their own. */
export async function findSettings(db: Db): Promise<SettingsRow> {
  return (await settings(db, { id: SETTINGS_ID }))[0] as SettingsRow
}

export const updateSettings = (tx: Db, change: Partial<Omit<SettingsRow, 'id'>>) =>
  tx.updateTable('schema_settings').set(change).where('id', '=', SETTINGS_ID).execute()

const contentById = prepare((db, { id }: { id: number }) =>
  db.selectFrom('schema_contents').selectAll().where('id', '=', id)
)
export const findContent = async (db: Db, id: number): Promise<ContentRow | undefined> =>
  (await contentById(db, { id }))[0]

const byFingerprint = prepare((db, { fingerprint }: { fingerprint: string }) =>
  db.selectFrom('schema_contents').selectAll().where('fingerprint', '=', fingerprint)
)
export const findContentLike = async (db: Db, fingerprint: string): Promise<ContentRow | undefined> =>
  (await byFingerprint(db, { fingerprint }))[0]

const insertContentRow = prepare((db, row: ContentRow) =>
  db
    .insertInto('schema_contents')
    .values({ id: row.id, type: row.type, fingerprint: row.fingerprint, text: row.text, refers_to: row.refers_to })
)
export const insertContent = (tx: Db, row: ContentRow) => insertContentRow(tx, row)

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

/** The next id for a text. Others who want one wait until this transaction ends. */
export async function nextContentId(tx: Db): Promise<number> {
  return ((await count(tx, { id: SETTINGS_ID }))[0] as { last_content: number }).last_content
}

/** Makes the ids that are given from now on larger than one that was chosen by an import. */
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
