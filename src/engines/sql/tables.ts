import type { SqlChunk, SqlRead, SqlTable, SqlTables, SqlType, SqlValue } from './index.ts'
import { quoteTableName } from './names.ts'

/** A column of a table, as the statements that list tables answer it, in this order. */
export interface ListedColumn {
  /** Undefined where tables are in no schema but in the database itself. */
  readonly schema: string | undefined
  readonly table: string
  readonly isView: boolean
  /** Whether the user may read the table. */
  readonly isReadable: boolean
  readonly column: string
  readonly type: SqlType
  readonly nullable: boolean
  /** Its place in the primary key; 0 where it is in none. */
  readonly keyAt: number
}

/** What there is at the most, whatever the tables. */
const MAX_COLUMNS = 500_000

/** Reads columns, those of a table in their order, and makes tables of them, in the order of their names. */
export async function gatherTables(
  read: (request: SqlRead) => AsyncIterable<SqlChunk>,
  request: SqlRead,
  limit: number,
  listed: (row: readonly SqlValue[]) => ListedColumn
): Promise<SqlTables> {
  const tables = new Map<string, ListedColumn[]>()
  let seen = 0
  for await (const { values, rows } of read(request)) {
    for (let row = 0; row < rows; row++) {
      const column = listed(values.map((one) => one[row] as SqlValue))
      const name = nameOf(column.schema, column.table)
      const known = tables.get(name)
      if (known !== undefined) known.push(column)
      else if (tables.size < limit) tables.set(name, [column])
      else return { tables: sorted(tables), isWhole: false }
    }
    seen += rows
    if (seen >= MAX_COLUMNS) return { tables: sorted(tables), isWhole: false }
  }
  return { tables: sorted(tables), isWhole: true }
}

function sorted(tables: ReadonlyMap<string, readonly ListedColumn[]>): SqlTable[] {
  return [...tables].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, columns]) => toTable(name, columns))
}

function toTable(name: string, columns: readonly ListedColumn[]): SqlTable {
  const { isView, isReadable } = columns[0] as ListedColumn
  const keys = columns.filter(({ keyAt }) => keyAt > 0).toSorted((a, b) => a.keyAt - b.keyAt)
  return {
    name,
    isView,
    isReadable,
    columns: columns.map(({ column, type, nullable }) => ({ name: column, type, nullable })),
    keys: keys.map(({ column }) => column)
  }
}

const PLAIN = /^[^".\s]+$/

/** As people write it where that is possible, or in quotes. */
export function nameOf(schema: string | undefined, table: string): string {
  const parts = schema === undefined ? ([table] as const) : ([schema, table] as const)
  return parts.every((part) => PLAIN.test(part)) ? parts.join('.') : quoteTableName(...parts)
}
