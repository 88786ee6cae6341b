import type { SqlValue } from '../index.ts'
import type { ListedColumn } from '../tables.ts'
import { parseType, typeOf } from './types.ts'

/**
 * ClickHouse lists the columns of a table in their order, and only what the user may see. Its keys are not unique, so there are
 * none.
 */
export const TABLES = `
  SELECT table, type_of_table, name, type FROM (
    SELECT table, name, type FROM system.columns WHERE database = currentDatabase()
  ) ANY LEFT JOIN (
    SELECT name AS table, engine AS type_of_table FROM system.tables WHERE database = currentDatabase()
  ) USING table`

export function listedClickhouse([table, engine, column, type]: readonly SqlValue[]): ListedColumn {
  const parsed = parseType(String(type))
  return {
    schema: undefined,
    table: String(table),
    isView: String(engine).endsWith('View'),
    isReadable: true,
    column: String(column),
    type: typeOf(parsed),
    nullable: parsed.nullable,
    keyAt: 0
  }
}
