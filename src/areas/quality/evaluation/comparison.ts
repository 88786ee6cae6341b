import { sqlName } from '../../../data/relation.ts'
import type { Columns } from './columns.ts'

/** Rows are asked whether a DOUBLE, as SQL, is less or greater than a number. */
export interface Comparison {
  readonly value: string
  readonly sign: '<' | '<=' | '>' | '>='
  readonly bound: number
}

/** `amount > 10.5`, `"Total price" <= -1`: so few digits that a DOUBLE is exactly the number that SQL reads. */
const SIMPLE = /^\s*(?:"((?:[^"]|"")+)"|([a-z_][a-z0-9_]*))\s*(<=|>=|<|>)\s*(-?\d{1,9}(?:\.\d{1,6})?)\s*$/i

/** What SQL takes for something else than a column where no quotes are around it. */
const TAKEN = new Set(
  (
    'all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast check collate collation column ' +
    'concurrently constraint create cross default deferrable desc describe distinct do else end except false fetch for foreign freeze from full ' +
    'glob group having ilike in initially inner intersect into is isnull join lambda lateral leading left like limit natural not notnull null ' +
    'offset on only or order outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify references returning right select ' +
    'semi show similar some summarize symmetric table tablesample then to trailing true union unique unpack unpivot using variadic verbose when ' +
    'where window with'
  ).split(' ')
)

/** What a condition of a rule compares, where it does nothing else: many of these can be answered at once. */
export function comparisonIn(where: string | undefined, columns: Columns): Comparison | undefined {
  const [, quoted, plain = '', sign, bound] = SIMPLE.exec(where ?? '') ?? []
  if (sign === undefined || TAKEN.has(plain.toLowerCase())) return undefined
  const column = columns.find(quoted?.replaceAll('""', '"') ?? plain)
  if (column?.type !== 'DOUBLE') return undefined
  return { value: sqlName(column.name), sign: sign as Comparison['sign'], bound: Number(bound) }
}
