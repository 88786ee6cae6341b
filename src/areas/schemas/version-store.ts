import { sql } from 'kysely'
import { type Db, prepare } from '../../engines/metadata/index.ts'
import { invalidField } from '../../errors.ts'
import { fetchPage } from '../../http/paging.ts'
import type { ContentRow, SchemaRow, VersionRow } from './migrations.ts'
import type { VersionQuery, VersionState } from './schema.ts'

/** The limit 1 as part of the statement: with a parameter for the limit SQLite plans the statement anew each time. */
export const ONE = sql.lit(1)
/** A transitive check goes no further back: nobody could act on what it would find. */
const MAX_HISTORY = 1000

/** A version with the text it has. */
export type FullVersion = VersionRow & Pick<ContentRow, 'type' | 'fingerprint' | 'text' | 'refers_to'>

export const full = (db: Db) =>
  db
    .selectFrom('schema_versions')
    .innerJoin('schema_contents', 'schema_contents.id', 'schema_versions.content_id')
    .selectAll('schema_versions')
    .select([
      'schema_contents.type',
      'schema_contents.fingerprint',
      'schema_contents.text',
      'schema_contents.refers_to'
    ])

const one = prepare((db, { schemaId, number }: { schemaId: string; number: number }) =>
  full(db).where('schema_id', '=', schemaId).where('number', '=', number)
)

export const findVersion = async (db: Db, schemaId: string, number: number): Promise<FullVersion | undefined> =>
  (await one(db, { schemaId, number }))[0]

const latest = prepare((db, { schemaId }: { schemaId: string }) =>
  full(db)
    .where('schema_id', '=', schemaId)
    .where('deleted_at', 'is', null)
    .where('state', 'in', ['enabled', 'deprecated'])
    .orderBy('number', 'desc')
    .limit(ONE)
)

/** The newest version in force. */
export const findLatest = async (db: Db, schemaId: string): Promise<FullVersion | undefined> =>
  (await latest(db, { schemaId }))[0]

/** The newest versions, as far as `limit` goes, newest first. */
export const newestVersions = (db: Db, schemaId: string, limit: number): Promise<FullVersion[]> =>
  full(db)
    .where('schema_id', '=', schemaId)
    .where('deleted_at', 'is', null)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()

const history = (db: Db, { schemaId }: { schemaId: string }) =>
  full(db)
    .where('schema_id', '=', schemaId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'draft')
    .orderBy('number', 'desc')

const lastOfHistory = prepare((db, values: { schemaId: string }) => history(db, values).limit(ONE))
const wholeHistory = prepare((db, values: { schemaId: string }) => history(db, values).limit(sql.lit(MAX_HISTORY)))

/** Versions that data may have been written with, newest first. New versions are checked against them. */
export const historyOf = (db: Db, schemaId: string, which: 'last' | 'all'): Promise<FullVersion[]> =>
  (which === 'last' ? lastOfHistory : wholeHistory)(db, { schemaId })

const ofContent = prepare((db, { schemaId, contentId }: { schemaId: string; contentId: number }) =>
  full(db)
    .where('content_id', '=', contentId)
    .where('schema_id', '=', schemaId)
    .where('deleted_at', 'is', null)
    .orderBy('number', 'desc')
    .limit(ONE)
)

/** The newest version of a schema that has this text. */
export const findVersionOf = async (db: Db, schemaId: string, contentId: number): Promise<FullVersion | undefined> =>
  (await ofContent(db, { schemaId, contentId }))[0]

export function listVersions(db: Db, schemaId: string, query: VersionQuery) {
  let select = full(db).where('schema_id', '=', schemaId)
  if (query.deleted !== true) select = select.where('deleted_at', 'is', null)
  if (query.state !== undefined) select = select.where('state', '=', query.state)
  const sorts = { version: 'number' } as const
  return fetchPage(select, query, { sorts, id: 'schema_id', integers: ['number'] })
}

const insert = prepare((db, row: VersionRow) =>
  db.insertInto('schema_versions').values({
    schema_id: row.schema_id,
    number: row.number,
    content_id: row.content_id,
    state: row.state,
    metadata: row.metadata,
    revision: row.revision,
    created_by: row.created_by,
    created_at: row.created_at,
    deleted_at: row.deleted_at
  })
)
export const insertVersion = (tx: Db, row: VersionRow) => insert(tx, row)

export const updateVersion = (
  tx: Db,
  { schema_id: schemaId, number }: VersionRow,
  change: Partial<Pick<VersionRow, 'state' | 'metadata' | 'revision' | 'deleted_at'>>
) =>
  tx.updateTable('schema_versions').set(change).where('schema_id', '=', schemaId).where('number', '=', number).execute()

export const deleteVersion = (tx: Db, schemaId: string, number: number) =>
  tx.deleteFrom('schema_versions').where('schema_id', '=', schemaId).where('number', '=', number).execute()

/** Every version of a schema, without texts; a schema has a few dozen, and the whole of it is deleted at once. */
export const numbersOf = (db: Db, schemaId: string): Promise<VersionRow[]> =>
  db.selectFrom('schema_versions').selectAll().where('schema_id', '=', schemaId).orderBy('number').execute()

interface User {
  readonly schema: Pick<SchemaRow, 'id' | 'name'>
  readonly number: number
  readonly contentId: number
  readonly state: VersionState
}

const MAX_USERS = 1000

/** The versions that refer to a version, but for deleted ones. */
export async function usersOf(db: Db, schemaId: string, number: number): Promise<User[]> {
  const rows = await db
    .selectFrom('schema_uses')
    .innerJoin('schema_versions', 'schema_versions.content_id', 'schema_uses.content_id')
    .innerJoin('schemas', 'schemas.id', 'schema_versions.schema_id')
    .select([
      'schemas.id',
      'schemas.name',
      'schema_versions.number',
      'schema_versions.content_id',
      'schema_versions.state'
    ])
    .where('schema_uses.schema_id', '=', schemaId)
    .where('schema_uses.number', '=', number)
    .where('schema_versions.deleted_at', 'is', null)
    .orderBy('schemas.name')
    .orderBy('schema_versions.number')
    .limit(MAX_USERS)
    .execute()
  return rows.map(({ id, name, number, content_id: contentId, state }) => ({
    schema: { id, name },
    number,
    contentId,
    state
  }))
}

const MAX_CHARS = 16 * 1024

/** The metadata of a version as text for the database; refuses what is no object or too large. */
export function metadataText(metadata: unknown = {}): string {
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
  if (!isObject) throw invalidField('/metadata', 'must be an object')
  const text = JSON.stringify(metadata)
  if (text.length > MAX_CHARS) throw invalidField('/metadata', `must have at most ${MAX_CHARS} characters as JSON`)
  return text
}
