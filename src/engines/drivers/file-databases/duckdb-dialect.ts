import { type Dialect, type Form, sqlName, sqlText, usualSelect } from '../common/dialect.ts'
import { duckdbForm } from '../common/duckdb-values.ts'
import type { ColumnType, StreamValue } from '../index.ts'

const LITERALS: Partial<Record<ColumnType, (position: string) => string>> = {
  integer: (position) => position,
  bigint: (position) => position,
  decimal: (position) => position,
  double: (position) => `${sqlText(position)}::DOUBLE`,
  date: (position) => `DATE ${sqlText(position)}`,
  timestamp: (position) => `${sqlText(position)}::TIMESTAMP_NS`,
  timestamptz: (position) => `${sqlText(position.replace(/Z|[+]00(:?00)?$/, ''))}::TIMESTAMP AT TIME ZONE 'UTC'`
}

function formOf(declared: string): Form {
  const [type] = duckdbForm(declared, '')
  return {
    type,
    select: (column) => duckdbForm(declared, column)[1],
    decode: (value) => value as StreamValue,
    literal: LITERALS[type] ?? sqlText
  }
}

export const DUCKDB: Dialect = {
  quote: sqlName,
  sortsTexts: true,
  form: formOf,
  // The limit is kept by the reader, which ends the statement.
  select: (parts) => usualSelect(parts),
  columns: (of) => `
    SELECT c.schema_name, c.table_name, (t.table_type = 'VIEW')::INT, c.column_name, c.data_type, c.is_nullable::INT,
      coalesce(list_position(k.constraint_column_names, c.column_name), 0), 1
    FROM duckdb_columns() c
    JOIN information_schema.tables t
      ON t.table_catalog = 'file' AND t.table_schema = c.schema_name AND t.table_name = c.table_name
    LEFT JOIN (SELECT * FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY') k
      ON k.database_name = 'file' AND k.table_oid = c.table_oid
    WHERE c.database_name = 'file' AND NOT c.internal${
      of === undefined ? '' : ` AND c.schema_name = ${sqlText(of.schema)} AND c.table_name = ${sqlText(of.table)}`
    }
    ORDER BY c.schema_name, c.table_name, c.column_index`
}
