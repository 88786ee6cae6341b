import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR
} from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import { ROW } from '../contract/source.ts'
import { appendRows } from '../duckdb/append-rows.ts'
import { type Field, type Kind, kindOf } from './shapes.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/** How a field is held in a table: by its kind, or as the text of whatever it holds. */
export interface HeldField extends Field {
  readonly isText: boolean
}

/** Makes a table of JSON records, which all have these fields at most, and in `ROW` the numbers given. */
export async function makeRecordsTable(
  database: DuckDBConnection,
  table: { readonly schema: string; readonly name: string },
  { records, places }: { readonly records: readonly JsonRecord[]; readonly places: readonly number[] },
  fields: readonly HeldField[]
): Promise<void> {
  const types = [BIGINT, ...fields.map(({ kind, isText }) => (isText ? VARCHAR : CHUNK_TYPES[kind]))]
  const list = fields.map(({ name, kind, isText }) => `${sqlName(name)} ${isText ? 'VARCHAR' : columnType(kind)}`)
  const address = `${sqlName(table.schema)}.${sqlName(table.name)}`
  await database.run(`CREATE TABLE ${address} (${[`${ROW} BIGINT`, ...list].join(', ')})`)
  await appendRows(database, table, types, records.length, (column, row) => {
    if (column === 0) return BigInt(places[row] as number)
    const field = fields[column - 1] as HeldField
    return cellOf((records[row] as JsonRecord)[field.name], field)
  })
}

function cellOf(value: unknown, { kind, isText }: HeldField): DuckDBValue {
  if (value === undefined || value === null) return null
  if (isText) return kindOf(value) === 'json' ? JSON.stringify(value) : String(value)
  return kind === 'json' ? JSON.stringify(value) : (value as DuckDBValue)
}

const CHUNK_TYPES: Readonly<Record<Kind, DuckDBType>> = {
  null: VARCHAR,
  number: DOUBLE,
  boolean: BOOLEAN,
  text: VARCHAR,
  json: VARCHAR
}

const columnType = (kind: Kind): string => (kind === 'null' ? 'VARCHAR' : SQL_TYPES[kind])

/** DuckDB's name of the type of a bare NULL goes with any other: a column may get its type later. */
export const SQL_TYPES: Readonly<Record<Kind, string>> = {
  null: '"NULL"',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
  json: 'JSON'
}
