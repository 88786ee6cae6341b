import { type DuckDBConnection, VARCHAR } from '@duckdb/node-api'
import { sqlName, sqlText } from '../../../data/relation.ts'
import { appendRows } from '../nodes/append-rows.ts'
import type { Column } from '../nodes/node-type.ts'
import { type BatchPart, type Origin, ROW } from '../nodes/source.ts'
import { columnList } from './columns.ts'
import { tableName } from './state-table.ts'

/** A dead letter that is put through again. */
export interface Letter {
  /** JSON of the record. */
  readonly record: string
  readonly origin: Origin | undefined
}

/** Records of dead letters with the columns that they had when they were refused. The table stays until it is dropped. */
export async function partOfLetters(
  database: DuckDBConnection,
  place: { readonly schema: string; readonly name: string },
  letters: readonly Letter[],
  columns: readonly Column[]
): Promise<BatchPart & { drop(): Promise<void> }> {
  const table = tableName(place.schema, place.name)
  await database.run(`CREATE TABLE ${table} (record VARCHAR)`)
  await appendRows(database, place, [VARCHAR], letters.length, (_, row) => (letters[row] as Letter).record)
  const typed = columns.map((column) => `${fieldAs(column)} AS ${sqlName(column.name)}`)
  const numbered = `SELECT ${[...typed, `rowid AS ${ROW}`].join(', ')} FROM ${table}`
  const list = columnList(columns)
  return {
    sql: `SELECT ${list === '' ? 'NULL AS "nothing"' : list} FROM (${numbered})`,
    numbered,
    rows: letters.length,
    columns,
    isLoose: true,
    originsOf: async (rows) => rows.map((row) => letters[row]?.origin),
    drop: async () => void (await database.run(`DROP TABLE IF EXISTS ${table}`))
  }
}

/** A field of the record in the type that it had, which `to_json` has made a text, a number or more. */
function fieldAs({ name, type }: Column): string {
  const pointer = sqlText(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  if (type === '"NULL"') return 'NULL'
  if (type === 'VARCHAR') return `json_extract_string(record, ${pointer})`
  const json = `json_extract(record, ${pointer})`
  if (type === 'JSON') return `CASE WHEN json_type(${json}) <> 'NULL' THEN ${json} END`
  const isNested = /\]$|^(?:STRUCT|MAP|UNION)\(/.test(type)
  return `TRY_CAST(${isNested ? json : `json_extract_string(record, ${pointer})`} AS ${type})`
}
