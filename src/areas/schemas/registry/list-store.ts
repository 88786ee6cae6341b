import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables } from '../../../engines/metadata/index.ts'
import { type FullVersion, full } from '../version-store.ts'
import type { Which } from './store.ts'

/** What is looked for, and from where on: lists are read piece by piece, however long they are. */
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
