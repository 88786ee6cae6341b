import type { SqlType } from '../index.ts'

/**
 * Types of new columns. Decimals have as many digits as MySQL allows. Times are DATETIME in UTC: a TIMESTAMP would
 * end in 2038.
 */
const DECLARED: Readonly<Record<SqlType, string>> = {
  boolean: 'TINYINT(1)',
  integer: 'INT',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  decimal: 'DECIMAL(65, 30)',
  text: 'LONGTEXT',
  date: 'DATE',
  timestamp: 'DATETIME(6)',
  timestamptz: 'DATETIME(6)',
  json: 'JSON',
  blob: 'LONGBLOB'
}

/** The type of a new column. Texts are compared byte by byte. */
export function declared(type: SqlType, isKey: boolean, isMariadb: boolean): string {
  const collation = `CHARACTER SET utf8mb4 COLLATE ${isMariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'}`
  if (type === 'text') return `${isKey ? 'VARCHAR(255)' : DECLARED.text} ${collation}`
  if (type === 'json' && isKey) return `VARCHAR(255) ${collation}`
  if (type === 'blob' && isKey) return 'VARBINARY(255)'
  return DECLARED[type]
}
