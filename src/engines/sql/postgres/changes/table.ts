import { SqlError } from '../../errors.ts'
import { parseTableName } from '../../names.ts'
import type { PostgresConnection } from '../connection.ts'
import { quoteTable } from '../quote.ts'

/** A table whose changes can be read. */
export interface CapturedTable {
  readonly name: readonly [schema: string, table: string]
  /** The names of its columns but for generated ones, which changes do not have. */
  readonly columns: readonly string[]
  readonly keys: readonly Key[]
}

export interface Key {
  readonly name: string
  /** As SQL. */
  readonly type: string
}

const TABLE = `
  SELECT n.nspname, c.relname, c.relkind, c.relreplident,
    a.attname, format_type(a.atttypid, a.atttypmod),
    coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0)
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid
    AND CASE WHEN c.relreplident = 'i' THEN i.indisreplident ELSE i.indisprimary END
  WHERE c.oid = to_regclass($1)
  ORDER BY a.attnum`

/** Once a table is published, PostgreSQL refuses to update and delete rows that nothing identifies: such tables are left alone. */
export async function capturedTable(connection: PostgresConnection, text: string): Promise<CapturedTable> {
  const { rows } = await connection.run(TABLE, [quoteTable(parseTableName(text))])
  const [schema, table, kind, identity] = rows[0] ?? []
  if (schema == null || table == null)
    throw new SqlError('no_such_table', `There is no table ${text}, or no right to see it`)
  if (kind !== 'r' && kind !== 'p') throw new SqlError('changes_off', `${text} is no table: only tables have changes`)
  const name = [schema, table] as const
  const keys = rows
    .filter((row) => Number(row[6]) > 0)
    .toSorted((a, b) => Number(a[6]) - Number(b[6]))
    .map((row) => ({ name: row[4] as string, type: row[5] as string }))
  if (keys.length === 0 || identity === 'n') {
    const alter = `ALTER TABLE ${quoteTable(name)}`
    const statements = `${alter} ADD PRIMARY KEY (…); ${alter} REPLICA IDENTITY DEFAULT;`
    throw new SqlError('changes_off', `Nothing identifies the rows of ${text}; its owner can run: ${statements}`)
  }
  return { name, columns: rows.map((row) => row[4] as string), keys }
}

const BASE_TYPES = `
  WITH RECURSIVE base (oid, of, next) AS (
    SELECT t.oid, t.oid, t.typbasetype FROM pg_catalog.pg_type t WHERE t.oid = ANY ($1::oid[])
    UNION ALL SELECT b.oid, t.oid, t.typbasetype FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.next)
  SELECT oid, of FROM base WHERE next = 0`

/** What domains are made of, by their identifiers; changes name the domain where answers name what it is made of. */
export async function baseTypes(connection: PostgresConnection, oids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await connection.run(BASE_TYPES, [`{${oids.join(',')}}`])
  return new Map(rows.map(([oid, base]) => [Number(oid), Number(base)]))
}
