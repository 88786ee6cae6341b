import type { SqlType, SqlValue } from '../index.ts'
import type { ListedColumn } from '../tables.ts'

/** MariaDB keeps JSON as a text with a check, which only its own catalogue tells. */
const MARIADB_JSON = {
  type: "CASE WHEN j.CONSTRAINT_NAME IS NULL THEN LOWER(c.COLUMN_TYPE) ELSE 'json' END",
  join: `LEFT JOIN information_schema.CHECK_CONSTRAINTS j ON j.CONSTRAINT_SCHEMA = c.TABLE_SCHEMA
    AND j.TABLE_NAME = c.TABLE_NAME AND j.CONSTRAINT_NAME = c.COLUMN_NAME AND j.CHECK_CLAUSE LIKE 'json_valid(%'`
}

/** How a column `c` is declared, in small letters, and what has to be joined for that. */
export const declaredType = (isMariadb: boolean) =>
  isMariadb ? MARIADB_JSON : { type: 'LOWER(c.COLUMN_TYPE)', join: '' }

/** MySQL lists only what the user has some right on. */
export function tablesQuery(version: string): string {
  const { type, join } = declaredType(/mariadb/i.test(version))
  return `
  SELECT c.TABLE_NAME, t.TABLE_TYPE LIKE '%VIEW' AS is_view, FIND_IN_SET('select', c.PRIVILEGES) > 0 AS is_readable,
    c.COLUMN_NAME, ${type} AS type, c.IS_NULLABLE = 'YES' AS nullable,
    CASE WHEN c.COLUMN_KEY = 'PRI' THEN COALESCE(k.ORDINAL_POSITION, c.ORDINAL_POSITION) ELSE 0 END AS key_at
  FROM information_schema.COLUMNS c
  JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
  LEFT JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME
    AND k.COLUMN_NAME = c.COLUMN_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
  ${join}
  WHERE c.TABLE_SCHEMA = DATABASE()
  ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION`
}

export function listedMysql(row: readonly SqlValue[]): ListedColumn {
  const [table, isView, isReadable, column, type, nullable, keyAt] = row
  return {
    schema: undefined,
    table: String(table),
    isView: Number(isView) === 1,
    isReadable: Number(isReadable) === 1,
    column: String(column),
    type: typeOfDeclared(String(type)),
    nullable: Number(nullable) === 1,
    keyAt: Number(keyAt)
  }
}

const TYPES: Readonly<Record<string, SqlType>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  integer: 'integer',
  year: 'integer',
  bigint: 'bigint',
  float: 'double',
  double: 'double',
  real: 'double',
  decimal: 'decimal',
  numeric: 'decimal',
  date: 'date',
  datetime: 'timestamp',
  timestamp: 'timestamptz',
  json: 'json',
  geometry: 'json',
  point: 'json',
  linestring: 'json',
  polygon: 'json',
  multipoint: 'json',
  multilinestring: 'json',
  multipolygon: 'json',
  geometrycollection: 'json',
  bit: 'blob',
  binary: 'blob',
  varbinary: 'blob',
  tinyblob: 'blob',
  blob: 'blob',
  mediumblob: 'blob',
  longblob: 'blob'
}

/** The type of a column by its declaration, the same as by what the server says of it in an answer. */
function typeOfDeclared(declared: string): SqlType {
  if (declared.startsWith('tinyint(1)') && !declared.includes('unsigned')) return 'boolean'
  const [name = ''] = /^\w+/.exec(declared) ?? []
  if (name === 'int' && declared.includes('unsigned')) return 'bigint'
  return TYPES[name] ?? 'text'
}
