import { type RawBuilder, sql } from 'kysely'
import type { Metadata } from '../../../engines/metadata/index.ts'

/**
 * A table with only the rows that have one of the keys, for `from`: in as many statements as there are databases, and not
 * as there are numbers of keys.
 */
export function joinedWith(
  { dialect }: Pick<Metadata, 'dialect'>,
  table: 'lineage_edges' | 'lineage_mappings',
  columns: readonly string[],
  keys: readonly (readonly string[])[]
): RawBuilder<unknown> {
  const wanted = columns.map((_, number) => sql.ref(`wanted_${number}`))
  const matches = sql.join(
    columns.map((column, number) => sql`${sql.ref(`${table}.${column}`)} = ${wanted[number]}`),
    sql` and `
  )
  if (dialect === 'sqlite') {
    const parts = columns.map((_, number) => sql`value ->> ${sql.lit(number)} as ${wanted[number]}`)
    // A cross join keeps its order: first the keys, then the rows of each.
    return sql`(select ${sql.join(parts)} from json_each(${JSON.stringify(keys)})) as wanted
      cross join ${sql.table(table)} on ${matches}`
  }
  const lists = columns.map((_, number) => sql`${keys.map((key) => key[number])}::text[]`)
  return sql`unnest(${sql.join(lists)}) as wanted(${sql.join(wanted)}) inner join ${sql.table(table)} on ${matches}`
}
