import type { CommonTable, Query, Recursion } from '../query.ts'
import type { Context } from './context.ts'
import { sourcesOf } from './expressions.ts'
import { type RowSet, renamed, withDistinctNames } from './row-set.ts'
import type { CommonTables, Scope } from './scope.ts'
import { modified, resultScope, selected } from './select.ts'
import { combinedRows } from './set-operations.ts'
import { Sources } from './sources.ts'

/** The rows of a query that stands in this scope. */
export function rowSetOf(context: Context, query: Query, around: Scope): RowSet {
  return context.effort.deeper(() => {
    context.effort.spend(1)
    const scope = { ...around, common: withCommon(context, query.common, around) }
    if (query.body.kind === 'select') {
      const { rowSet, scope: inner } = selected(context, query.body, scope)
      return modified(context, query, rowSet, inner)
    }
    const rowSet =
      query.body.kind === 'recursion'
        ? recursion(context, query.body, scope)
        : combinedRows(
            context,
            query.body,
            query.body.sides.map((side) => rowSetOf(context, side, scope))
          )
    return modified(context, query, rowSet, resultScope(rowSet, scope))
  })
}

/** Each part of a WITH sees those before it. It is looked at when it is used, and once. */
function withCommon(context: Context, tables: readonly CommonTable[], around: Scope): CommonTables | null {
  let common = around.common
  for (const { name, columns, query } of tables) {
    const before = common
    let known: RowSet | undefined
    const rowSet = () => {
      known ??= renamed(withDistinctNames(rowSetOf(context, query, { ...around, common: before })), columns)
      return known
    }
    common = { name, isRecursion: false, rowSet, others: before }
  }
  return common
}

/** The part that reads its own result is followed until it finds nothing new. */
function recursion(context: Context, { name, columns, first, again, isAll, keys }: Recursion, around: Scope): RowSet {
  const union = { kind: 'set', operation: 'union', isByName: false, isAll, sides: [] } as const
  let found = renamed(withDistinctNames(rowSetOf(context, first, around)), columns)
  for (let weight = -1; weight !== weightOf(found); ) {
    weight = weightOf(found)
    const sofar = found
    const common: CommonTables = { name, isRecursion: true, rowSet: () => sofar, others: around.common }
    const next = rowSetOf(context, again, { ...around, common })
    found = combinedRows(context, union, [found, next])
  }
  if (keys.length === 0) return found
  const byKey = keys.map((key) => sourcesOf(context, key, resultScope(found, around)).as('grouped'))
  return { ...found, rows: Sources.of([found.rows, ...byKey]) }
}

const weightOf = ({ columns, rows }: RowSet): number =>
  columns.reduce((sum, { from }) => sum + from.weight, rows.weight)
