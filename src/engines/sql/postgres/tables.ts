import type { SqlValue } from '../index.ts'
import type { ListedColumn } from '../tables.ts'
import { typeOf } from './types.ts'

/** What is neither the server's own nor a part of another table, in schemas that the user may look into. */
export const TABLES = `
  SELECT n.nspname, c.relname, c.relkind IN ('v', 'm') AS is_view,
    has_table_privilege(c.oid, 'SELECT') AS is_readable,
    a.attname, coalesce(nullif(t.typbasetype, 0), t.oid)::bigint AS type, NOT a.attnotnull AS nullable,
    coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) AS key_at
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' AND has_schema_privilege(n.oid, 'USAGE')
  ORDER BY n.nspname, c.relname, a.attnum`

export function listedPostgres(row: readonly SqlValue[]): ListedColumn {
  const [schema, table, isView, isReadable, column, type, nullable, keyAt] = row
  return {
    schema: String(schema),
    table: String(table),
    isView: isView === true,
    isReadable: isReadable === true,
    column: String(column),
    type: typeOf(Number(type)),
    nullable: nullable === true,
    keyAt: Number(keyAt)
  }
}
