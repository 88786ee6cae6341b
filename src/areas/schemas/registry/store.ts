import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type Db, prepare, type Tables } from '../../../engines/metadata/index.ts'
import type { ContentRow, SchemaRow } from '../migrations.ts'
import type { VersionState } from '../schema.ts'
import { type FullVersion, full, ONE } from '../version-store.ts'

/** States of versions that the registry shows. It hides drafts and disabled versions. */
const SHOWN: VersionState[] = ['enabled', 'deprecated']
export const isShown = ({ state }: { state: VersionState }) => SHOWN.includes(state)

/** `live`: versions that are not deleted; `deleted`: deleted ones; `any`: both. */
export type Which = 'live' | 'any' | 'deleted'

const lockByName = prepare((db, { name }: { name: string }) =>
  db.selectFrom('schemas').selectAll().where('name', '=', name).forUpdate()
)
export const lockSubject = async (tx: Db, name: string): Promise<SchemaRow | undefined> =>
  (await lockByName(tx, { name }))[0]

export async function namesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('schemas')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

interface Registered {
  readonly schemaId: string
  readonly contentId: number
}

const registered = (db: Db, { schemaId, contentId }: Registered) =>
  full(db)
    .where('content_id', '=', contentId)
    .where('schema_id', '=', schemaId)
    .where('state', 'in', SHOWN)
    // Live versions come before deleted ones.
    .orderBy(sql`case when deleted_at is null then 0 else 1 end`)
    .orderBy('number', 'desc')
    .limit(ONE)

const registeredNow = prepare((db, values: Registered) => registered(db, values).where('deleted_at', 'is', null))
const registeredEver = prepare(registered)

/** The newest version of a subject that has this text. */
export const findRegistered = async (
  db: Db,
  schemaId: string,
  contentId: number,
  which: 'live' | 'any'
): Promise<FullVersion | undefined> =>
  (await (which === 'live' ? registeredNow : registeredEver)(db, { schemaId, contentId }))[0]

const inForceOnce = (db: Db) =>
  db
    .selectFrom('schema_contents')
    .selectAll()
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('schema_versions')
          .select('number')
          .whereRef('content_id', '=', 'schema_contents.id')
          .where('state', '!=', 'draft')
      )
    )

const byId = prepare((db, { id }: { id: number }) => inForceOnce(db).where('id', '=', id))
/** A text by its number, if messages may carry that: some version has the text and is no draft, deleted or not. */
export const findContentInForce = async (db: Db, id: number): Promise<ContentRow | undefined> =>
  (await byId(db, { id }))[0]

/** Such a text, by the beginning of its fingerprint. */
export const findContentByStart = (db: Db, start: string): Promise<ContentRow | undefined> =>
  inForceOnce(db).where('fingerprint', '>=', start).where('fingerprint', '<', `${start}~`).executeTakeFirst()

const MAX_VERSIONS = 10_000

/** The versions that have a text. */
export function versionsOfContent(db: Db, id: number, which: 'live' | 'any') {
  let select = db
    .selectFrom('schema_versions')
    .innerJoin('schemas', 'schemas.id', 'schema_versions.schema_id')
    .select(['schemas.name as subject', 'schema_versions.number as version'])
    .where('schema_versions.content_id', '=', id)
    .where('schema_versions.state', 'in', SHOWN)
  if (which === 'live') select = select.where('schema_versions.deleted_at', 'is', null)
  return select.orderBy('schemas.name').orderBy('schema_versions.number').limit(MAX_VERSIONS).execute()
}

/** Whether there is any subject. */
export async function hasSubjects(db: Db): Promise<boolean> {
  const [row] = await db
    .selectFrom('schema_versions')
    .select('number')
    .where('deleted_at', 'is', null)
    .where('state', 'in', SHOWN)
    .limit(ONE)
    .execute()
  return row !== undefined
}

/** Which rows of a list to read next. Lists can be long, so they are read piece by piece. */
export interface Piece<Last> {
  readonly prefix: string
  readonly limit: number
  /** Rows to leave out, counted from `after`. */
  readonly offset: number
  readonly after: Last | undefined
}

const startsWith = (column: string, prefix: string) =>
  sql<SqlBool>`substr(${sql.ref(column)}, 1, ${[...prefix].length}) = ${prefix}`

const hasVersion = (which: 'live' | 'any') => (query: ExpressionBuilder<Tables, 'schemas'>) => {
  let versions = query
    .selectFrom('schema_versions')
    .select('number')
    .whereRef('schema_id', '=', 'schemas.id')
    .where('state', 'in', ['enabled', 'deprecated'])
  if (which === 'live') versions = versions.where('deleted_at', 'is', null)
  return query.exists(versions)
}

export async function listNames(
  db: Db,
  which: Which,
  { prefix, limit, offset, after }: Piece<string>
): Promise<string[]> {
  let select = db.selectFrom('schemas').select('name')
  select = select.where(hasVersion(which === 'live' ? 'live' : 'any'))
  if (which === 'deleted') select = select.where((query) => query.not(hasVersion('live')(query)))
  if (prefix !== '') select = select.where(startsWith('name', prefix))
  if (after !== undefined) select = select.where('name', '>', after)
  const rows = await select.orderBy('name').limit(limit).offset(offset).execute()
  return rows.map(({ name }) => name)
}

export type NamedVersion = FullVersion & { readonly subject: string }

interface Filter {
  readonly which: 'live' | 'any'
  readonly latestOnly: boolean
}

export function listVersionsOfAll(
  db: Db,
  { which, latestOnly }: Filter,
  { prefix, limit, offset, after }: Piece<Pick<NamedVersion, 'subject' | 'number'>>
): Promise<NamedVersion[]> {
  let select = full(db)
    .innerJoin('schemas', 'schemas.id', 'schema_versions.schema_id')
    .select('schemas.name as subject')
    .where('schema_versions.state', 'in', ['enabled', 'deprecated'])
  if (which === 'live') select = select.where('schema_versions.deleted_at', 'is', null)
  if (prefix !== '') select = select.where(startsWith('schemas.name', prefix))
  if (latestOnly) select = select.where(isLatest(which))
  if (after !== undefined)
    select = select.where(sql<SqlBool>`(schemas.name, schema_versions.number) > (${after.subject}, ${after.number})`)
  return select.orderBy('schemas.name').orderBy('schema_versions.number').limit(limit).offset(offset).execute()
}

const isLatest = (which: 'live' | 'any') =>
  sql<SqlBool>`not exists (
    select 1 from schema_versions as newer
    where newer.schema_id = schema_versions.schema_id and newer.number > schema_versions.number
      and newer.state in ('enabled', 'deprecated')
      ${which === 'live' ? sql`and newer.deleted_at is null` : sql``}
  )`
