import { folded } from '../names.ts'
import type { SetOperation } from '../query.ts'
import type { Context } from './context.ts'
import type { Column, RowSet } from './row-set.ts'
import { Sources } from './sources.ts'

/** The rows of a UNION, EXCEPT or INTERSECT. */
export function combinedRows(context: Context, operation: SetOperation, sides: readonly RowSet[]): RowSet {
  const [first] = sides as readonly [RowSet]
  const isUnion = operation.operation === 'union'
  if (!operation.isByName && sides.some(({ openings }) => openings.length > 0)) {
    context.report('A set operation over columns that are not known: which of them go together can’t be told.')
  }
  const columns = !isUnion ? first.columns : operation.isByName ? byName(sides) : byPlace(sides)
  const rows = sides.map((side) => side.rows)
  const all = Sources.of(sides.flatMap((side) => side.columns.map(({ from }) => from)))
  if (!isUnion) rows.push(all.as('filtered'))
  else if (!operation.isAll) rows.push(all.as('grouped'))
  context.effort.spend(all.size + columns.reduce((sum, { from }) => sum + from.size, 0))
  const openings = isUnion ? sides.flatMap((side) => side.openings) : first.openings
  if (openings.length > 0 && !(isUnion && operation.isAll)) {
    context.report('Rows that are told apart by columns that are not known.')
  }
  return { columns, openings, rows: Sources.of(rows), order: Sources.none }
}

function byPlace(sides: readonly RowSet[]): Column[] {
  const [first] = sides as readonly [RowSet]
  return first.columns.map(({ name }, place) => ({
    name,
    from: Sources.of(sides.map((side) => side.columns[place]?.from ?? Sources.none))
  }))
}

function byName(sides: readonly RowSet[]): Column[] {
  const groups = Map.groupBy(
    sides.flatMap((side) => side.columns),
    ({ name }) => folded(name)
  )
  return [...groups.values()].map((columns) => ({
    name: (columns[0] as Column).name,
    from: Sources.of(columns.map(({ from }) => from))
  }))
}
