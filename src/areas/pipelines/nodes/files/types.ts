import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../../data/relation.ts'
import type { Column } from '../../duckdb/columns.ts'

/** Characters of all names together. They are part of the position, which is written with every checkpoint. */
const MAX_CHARS = 65_536

/** What was found out about the columns of CSV, by name in small letters; JSON, part of the position. */
export interface FoundTypes {
  readonly types?: Readonly<Record<string, string>>
  readonly dateFormat?: string
  readonly timestampFormat?: string
}

/** Adds what was found in an object: columns that have values there and were not known. */
export async function remember(
  database: DuckDBConnection,
  known: FoundTypes,
  object: { readonly path: string; readonly columns: readonly Column[]; readonly formats: Omit<FoundTypes, 'types'> }
): Promise<FoundTypes> {
  const types = new Map(Object.entries(known.types ?? {}))
  const added = object.columns.filter(({ name }) => !types.has(name.toLowerCase()))
  if (added.length === 0) return known
  const empty = await emptyColumns(database, object.path)
  let chars = [...types.keys()].reduce((sum, name) => sum + name.length, 0)
  const filled = added.filter(({ name }) => !empty.has(name))
  for (const { name, type } of filled) {
    chars += name.length + type.length
    if (chars <= MAX_CHARS) types.set(name.toLowerCase(), type)
  }
  return types.size === 0 ? known : { ...object.formats, ...definedOf(known), types: Object.fromEntries(types) }
}

const definedOf = (known: FoundTypes): FoundTypes =>
  Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))

/** Columns without any value say nothing about their type; nor does an object without records. */
async function emptyColumns(database: DuckDBConnection, path: string): Promise<{ has(name: string): boolean }> {
  const answer = await database.runAndReadAll(
    `SELECT path_in_schema FROM parquet_metadata(${sqlText(path)}) GROUP BY 1 HAVING sum(num_values - coalesce(stats_null_count, 0)) > 0`
  )
  const filled = new Set(answer.getRows().map(([name]) => String(name)))
  return { has: (name) => !filled.has(name) }
}
