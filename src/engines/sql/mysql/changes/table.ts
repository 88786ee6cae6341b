import { SqlError } from '../../errors.ts'
import type { SqlColumn } from '../../index.ts'
import { parseTableName } from '../../names.ts'
import type { MysqlConnection } from '../connection.ts'
import { quoteTable } from '../quote.ts'
import { declaredType } from '../tables.ts'
import { toColumn } from '../types.ts'

/** A table whose changes can be read, as it is now. */
export interface CapturedTable {
  readonly name: readonly [schema: string, table: string]
  readonly keys: readonly string[]
  /** How columns are declared, in small letters. */
  readonly declared: ReadonlyMap<string, string>
}

export async function capturedTable(connection: MysqlConnection, text: string): Promise<CapturedTable> {
  const parts = parseTableName(text)
  const { type, join } = declaredType(connection.isMariadb)
  const where =
    parts.length === 2 ? 'c.TABLE_SCHEMA = ? AND c.TABLE_NAME = ?' : 'c.TABLE_SCHEMA = DATABASE() AND c.TABLE_NAME = ?'
  const rows = await connection.run(
    `SELECT c.TABLE_SCHEMA, c.TABLE_NAME, t.TABLE_TYPE, c.COLUMN_NAME, ${type}, COALESCE(k.ORDINAL_POSITION, 0)
    FROM information_schema.COLUMNS c
    JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
    LEFT JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME
      AND k.COLUMN_NAME = c.COLUMN_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
    ${join} WHERE ${where} ORDER BY c.ORDINAL_POSITION`,
    parts
  )
  const [schema, table, kind] = rows[0] ?? []
  if (schema === undefined) throw new SqlError('no_such_table', `There is no table ${text}, or no right to see it`)
  if (kind !== 'BASE TABLE') throw new SqlError('changes_off', `${text} is no table: only tables have changes`)
  const keys = rows
    .filter((row) => Number(row[5]) > 0)
    .toSorted((a, b) => Number(a[5]) - Number(b[5]))
    .map((row) => String(row[3]))
  if (keys.length === 0) {
    const message = `Nothing identifies the rows of ${text}; its owner can run: ALTER TABLE ${text} ADD PRIMARY KEY (…);`
    throw new SqlError('changes_off', message)
  }
  const declared = new Map(rows.map((row) => [String(row[3]), String(row[4])]))
  return { name: [String(schema), String(table)], keys, declared }
}

export async function columnsNow(connection: MysqlConnection, { name }: CapturedTable): Promise<SqlColumn[]> {
  return (await connection.columnsOf(`SELECT * FROM ${quoteTable(name)}`)).map(toColumn)
}

const COLLATIONS = `SELECT ID, CHARACTER_SET_NAME FROM information_schema.COLLATIONS WHERE ID IS NOT NULL`
const MARIADB_COLLATIONS = `SELECT ID, CHARACTER_SET_NAME FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY
  WHERE ID IS NOT NULL`

/** The character sets of collations, by their numbers. */
export async function characterSets(connection: MysqlConnection): Promise<ReadonlyMap<number, string>> {
  const rows = await connection.run(connection.isMariadb ? MARIADB_COLLATIONS : COLLATIONS)
  return new Map(rows.map(([id, name]) => [Number(id), String(name).toLowerCase()]))
}
