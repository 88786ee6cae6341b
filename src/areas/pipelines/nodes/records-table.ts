import {
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR
} from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import type { Column } from './node-type.ts'

/** As many rows as DuckDB has in a vector. */
const CHUNK_ROWS = 2048

/** What DuckDB calls the type of a bare NULL, which goes with any other: a column may get its type later. */
const NOTHING = '"NULL"'

export type JsonRecord = Readonly<Record<string, unknown>>

interface FoundColumn {
  /** Its name in the records. */
  readonly field: string
  /** Its name in SQL, which knows no difference between temp and Temp. */
  readonly name: string
  kind: 'null' | 'number' | 'boolean' | 'text' | 'json'
}

/**
 * Makes a table of JSON records. Numbers are DOUBLE, whatever they look like, so that a column does not change its type from
 * batch to batch; texts VARCHAR, and so are columns with values of several kinds; what holds objects or arrays is JSON.
 */
export async function makeRecordsTable(
  database: DuckDBConnection,
  table: { readonly schema: string; readonly name: string },
  records: readonly JsonRecord[]
): Promise<Column[]> {
  const found = findColumns(records)
  const columns = found.map(({ name, kind }): Column => ({ name, type: SQL_TYPES[kind] }))
  const list = columns.map(({ name, type }) => `${sqlName(name)} ${type === NOTHING ? 'VARCHAR' : type}`).join(', ')
  const address = `${sqlName(table.schema)}.${sqlName(table.name)}`
  await database.run(`CREATE TABLE ${address} (${list === '' ? '"nothing" VARCHAR' : list})`)
  const appender = await database.createAppender(table.name, table.schema)
  const types = found.length === 0 ? [VARCHAR] : found.map(({ kind }) => CHUNK_TYPES[kind])
  for (let from = 0; from < records.length; from += CHUNK_ROWS) {
    const part = records.slice(from, from + CHUNK_ROWS)
    const chunk = DuckDBDataChunk.create(types, part.length)
    if (found.length === 0)
      chunk.setColumnValues(
        0,
        part.map(() => null)
      )
    for (const [i, column] of found.entries())
      chunk.setColumnValues(
        i,
        part.map((record) => cellOf(record, column))
      )
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  return columns
}

function findColumns(records: readonly JsonRecord[]): FoundColumn[] {
  const found = new Map<string, FoundColumn>()
  const names = new Set<string>()
  for (const record of records) {
    for (const field in record) {
      const kind = kindOf(record[field])
      const known = found.get(field)
      if (known === undefined) found.set(field, { field, name: freeName(field, names), kind })
      else if (known.kind !== kind) known.kind = bothOf(known.kind, kind)
    }
  }
  return [...found.values()]
}

function freeName(field: string, names: Set<string>): string {
  let name = field === '' ? 'unnamed' : field
  for (let n = 2; names.has(name.toLowerCase()); n++) name = `${field}_${n}`
  names.add(name.toLowerCase())
  return name
}

/** The kind of a column with values of two kinds. */
function bothOf(a: FoundColumn['kind'], b: FoundColumn['kind']): FoundColumn['kind'] {
  if (a === 'null') return b
  if (b === 'null') return a
  return a === 'json' || b === 'json' ? 'json' : 'text'
}

function kindOf(value: unknown): FoundColumn['kind'] {
  switch (typeof value) {
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'string':
      return 'text'
    default:
      return value === null || value === undefined ? 'null' : 'json'
  }
}

function cellOf(record: JsonRecord, { field, kind }: FoundColumn): DuckDBValue {
  const value = record[field]
  if (value === undefined || value === null) return null
  if (kind === 'json') return JSON.stringify(value)
  return kind === 'text' ? String(value) : (value as DuckDBValue)
}

const CHUNK_TYPES: Readonly<Record<FoundColumn['kind'], DuckDBType>> = {
  null: VARCHAR,
  number: DOUBLE,
  boolean: BOOLEAN,
  text: VARCHAR,
  json: VARCHAR
}

const SQL_TYPES: Readonly<Record<FoundColumn['kind'], string>> = {
  null: NOTHING,
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
  json: 'JSON'
}
