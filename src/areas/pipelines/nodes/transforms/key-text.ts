import { sqlName } from '../../../../data/relation.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Column } from '../../duckdb/columns.ts'

const FRACTIONAL = /^(?:DOUBLE|FLOAT|DECIMAL)/
/** Whole numbers of a DOUBLE up to here are exact. */
const MAX_EXACT = 9_007_199_254_740_992

/**
 * The values of some columns as one text: equal where they are equal, whatever types the columns have in this batch and the
 * next. A number is equal to another however it is kept: 1 is 1.0.
 */
export function keyText(names: readonly string[], columns: readonly Column[]): string {
  const parts = names.map((name) => valueText(columnNamed(name, columns)))
  return `to_json([${parts.join(', ')}])::VARCHAR`
}

/** The same, but NULL where one of the values is. */
export function fullKeyText(names: readonly string[], columns: readonly Column[]): string {
  const parts = names.map((name) => valueText(columnNamed(name, columns)))
  const areAllThere = parts.map((part) => `${part} IS NOT NULL`).join(' AND ')
  return `CASE WHEN ${areAllThere} THEN to_json([${parts.join(', ')}])::VARCHAR END`
}

export function columnNamed(name: string, columns: readonly Column[]): Column {
  const found = columns.find((column) => column.name.toLowerCase() === name.toLowerCase())
  if (found !== undefined) return found
  throw new NodeFault('fatal', 'no_such_column', `The records have no column ${name}`)
}

function valueText({ name, type }: Column): string {
  const value = sqlName(name)
  if (FRACTIONAL.test(type)) {
    const isWhole = `${value} = floor(${value}) AND abs(${value}) < ${MAX_EXACT}`
    return `CASE WHEN ${isWhole} THEN ${value}::BIGINT::VARCHAR ELSE ${value}::DOUBLE::VARCHAR END`
  }
  if (type === 'TIMESTAMP_NS') {
    return `CASE WHEN epoch_ns(${value}) % 1000 = 0 THEN ${value}::TIMESTAMP::VARCHAR ELSE ${value}::VARCHAR END`
  }
  // Days and seconds reach farther than microseconds do.
  if (type === 'DATE' || type.startsWith('TIMESTAMP'))
    return `coalesce(TRY_CAST(${value} AS TIMESTAMP)::VARCHAR, ${value}::VARCHAR)`
  return `${value}::VARCHAR`
}
