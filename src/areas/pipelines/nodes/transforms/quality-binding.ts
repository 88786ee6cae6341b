import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../../data/relation.ts'
import { duckdbErrorKind } from '../../../../engines/duckdb-errors.ts'
import { type Column, columnsOf, familyOf } from '../../duckdb/columns.ts'
import { enclosed } from '../../duckdb/expression.ts'
import { columnsIn, parseSql } from '../../duckdb/parse-sql.ts'
import type { Check } from './quality-checks.ts'

/**
 * The check for records whose types nobody has told. Where its SQL does not take the types of these very records, columns are
 * looked for that are to blame: of a record that has a value there it can't be told, and one that has none is asked as if
 * the column were of no type at all.
 */
export async function boundTo(
  database: DuckDBConnection,
  records: string,
  columns: readonly Column[],
  check: Check
): Promise<Check> {
  const binds = async (odd: readonly string[]) => {
    try {
      await columnsOf(database, `SELECT ${check.fails} AS fails FROM ${without(`(${records})`, odd)} AS input`)
      return true
    } catch (error) {
      const kind = duckdbErrorKind(error)
      if (kind !== 'binder' && kind !== 'ambiguous_call') throw error
      return false
    }
  }
  if (await binds([])) return check
  const names = await oddColumns(database, columns, check)
  for (const odd of [...names.map((name) => [name]), names]) if (await binds(odd)) return { ...check, odd }
  return { ...check, isUnclear: true }
}

/** Columns that the SQL speaks of and that hold no numbers, which is what most records have there. */
async function oddColumns(database: DuckDBConnection, columns: readonly Column[], { texts }: Check): Promise<string[]> {
  const spoken = new Set<string>()
  for (const text of texts) {
    for (const name of columnsIn(await parseSql(database, `SELECT ${enclosed(text)}`))) spoken.add(name.toLowerCase())
  }
  return columns
    .filter(({ name, type }) => spoken.has(name.toLowerCase()) && familyOf(type) !== 'number')
    .map(({ name }) => name)
}

/** Records that have no value in these columns, with none of any type. */
export function without(records: string, odd: readonly string[]): string {
  if (odd.length === 0) return records
  const nothing = odd.map((name) => `NULL AS ${sqlName(name)}`).join(', ')
  const where = odd.map((name) => `${sqlName(name)} IS NULL`).join(' AND ')
  return `(SELECT * REPLACE (${nothing}) FROM ${records} AS whole WHERE ${where})`
}
