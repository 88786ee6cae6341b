import { folded, isSameName } from '../names.ts'
import type { Expression, PivotSource, UnpivotSource } from '../query.ts'
import type { Context } from './context.ts'
import { sourcesOf } from './expressions.ts'
import { type Column, hiding, type Offer, type RowSet } from './row-set.ts'
import { type Scope, scopeOf } from './scope.ts'
import { Sources } from './sources.ts'
import { columnsOf } from './stars.ts'

/** PIVOT: one row for each group, and a column for each value. */
export function pivoted(context: Context, pivot: PivotSource, offer: Offer, around: Scope): RowSet {
  const scope: Scope = { ...scopeOf(around), offer }
  const on = Sources.of(pivot.on.map((one) => sourcesOf(context, one, scope)))
  const aggregates = pivot.aggregates.map((one) => sourcesOf(context, one, scope).computed)
  const groups = groupColumns(context, pivot, offer, scope)
  const made = pivot.made.map(({ name, aggregate }, place) => ({
    name: name ?? `#${groups.length + place + 1}`,
    from: Sources.of([aggregates[aggregate] ?? Sources.none, on.as('filtered')])
  }))
  context.effort.spend(made.reduce((sum, { from }) => sum + from.size, 0))
  const rows = [offer.rows, on.as('grouped'), ...groups.map(({ from }) => from.as('grouped'))]
  return { columns: [...groups, ...made], openings: [], rows: Sources.of(rows), order: Sources.none }
}

function groupColumns(context: Context, pivot: PivotSource, offer: Offer, scope: Scope): readonly Column[] {
  if (pivot.groups !== null) {
    return pivot.groups.map((name) => ({
      name,
      from: sourcesOf(context, columnNamed(name), scope)
    }))
  }
  if (offer.openings.length > 0) context.report('PIVOT without GROUP BY, over columns that are not known.')
  const used = new Set([...pivot.on, ...pivot.aggregates].flatMap(namesIn).map(folded))
  return offer.visible.filter(({ name }) => !used.has(folded(name)))
}

const columnNamed = (name: string): Expression => ({ kind: 'column', path: [name] })

function namesIn(expression: Expression): string[] {
  const names: string[] = []
  const left = [expression]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one.kind === 'column') names.push(one.path.at(-1) as string)
    if (one.kind === 'made') left.push(...one.of, ...one.by.map((by) => by.expression))
  }
  return names
}

/** UNPIVOT: one row for each row and column that is named. */
export function unpivoted(context: Context, unpivot: UnpivotSource, offer: Offer, around: Scope): RowSet {
  const scope: Scope = { ...scopeOf(around), offer }
  const entries = unpivot.entries.flatMap((entry) =>
    'kind' in entry ? columnsOf(context, entry, scope).columns.map(({ name }) => [columnNamed(name)]) : [entry]
  )
  if (offer.openings.length > 0) context.report('UNPIVOT over columns that are not known.')
  const of = (one: Expression) => sourcesOf(context, one, scope)
  const used = entries.flat().flatMap(namesIn)
  const rest = offer.visible.filter(({ name }) => !used.some((one) => isSameName(one, name)))
  const values = unpivot.valueColumns.map((name, place) => ({
    name,
    from: Sources.of(entries.map((entry) => (entry[place] === undefined ? Sources.none : of(entry[place]))))
  }))
  const nulls = unpivot.keepsNulls ? [] : entries.flat().map((one) => of(one).as('filtered'))
  context.effort.spend(used.length * (rest.length + 1))
  return {
    columns: [...rest, ...unpivot.nameColumns.map((name) => ({ name, from: Sources.none })), ...values],
    openings: offer.openings.map((opening) => hiding(opening, used)),
    rows: Sources.of([offer.rows, ...nulls]),
    order: Sources.none
  }
}
