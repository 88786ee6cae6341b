import { folded, isSameName } from '../names.ts'
import type { Expression, Item, Query, Select, Star } from '../query.ts'
import type { Context } from './context.ts'
import { isAggregate, sourcesOf, starsIn } from './expressions.ts'
import { offered } from './from.ts'
import { type Column, NOTHING, type Opening, type RowSet } from './row-set.ts'
import { type Scope, scopeOf, spellingOf } from './scope.ts'
import { Sources } from './sources.ts'
import { columnsOf } from './stars.ts'

const NO_ALIASES: ReadonlyMap<string, Sources> = new Map()

/** The rows of a SELECT, and the scope that its ORDER BY is in. */
export function selected(context: Context, select: Select, around: Scope): { rowSet: RowSet; scope: Scope } {
  const offer = select.from === null ? NOTHING : offered(context, select.from, around)
  const inner: Scope = { ...scopeOf(around), offer }
  const { columns, openings, rows: unnested, aliases } = itemsOf(context, select.items, inner)
  const scope: Scope = { ...inner, aliases }
  const where = context.traits.hasAliasesInSelect ? scope : inner
  const groups = groupsOf(context, select, columns, scope)
  const rows = [
    offer.rows,
    unnested,
    influence(context, select.where, where),
    groups,
    influence(context, select.having, scope),
    influence(context, select.qualify, scope)
  ]
  const order = groups.size === 0 ? offer.order : Sources.none
  return { rowSet: { columns, openings, rows: Sources.of(rows), order }, scope }
}

const influence = (context: Context, expression: Expression | null, scope: Scope): Sources =>
  expression === null ? Sources.none : sourcesOf(context, expression, scope).as('filtered')

interface Items {
  readonly columns: Column[]
  readonly openings: Opening[]
  readonly aliases: Map<string, Sources>
  rows: Sources
}

function itemsOf(context: Context, items: readonly Item[], scope: Scope): Items {
  const all: Items = { columns: [], openings: [], aliases: new Map(), rows: Sources.none }
  // An item may use the aliases of those before it: it sees the map while that is filled.
  const inner = context.traits.hasAliasesInSelect ? { ...scope, aliases: all.aliases } : scope
  for (const item of items) {
    const stars = starsIn(item.expression)
    if (stars.length > 0) addStarred(context, item, stars, inner, all)
    else {
      const from = sourcesOf(context, item.expression, inner)
      if (item.isUnnested) all.rows = Sources.of([all.rows, from.as('joined')])
      add(all, item, ownName(item.expression, inner) ?? item.name, from)
    }
  }
  return all
}

/** A column is called as its table spells it. */
function ownName(expression: Expression, scope: Scope): string | undefined {
  if (expression.kind === 'column') return spellingOf(expression.path, scope)
  return expression.kind === 'position' ? scope.offer.visible[expression.number - 1]?.name : undefined
}

function add({ columns, aliases }: Items, { alias }: Item, name: string | null, from: Sources): void {
  columns.push({ name: alias ?? name ?? `#${columns.length + 1}`, from })
  if (alias !== null && !aliases.has(folded(alias))) aliases.set(folded(alias), from)
}

/** One output for each column that the stars of an item stand for. */
function addStarred(context: Context, item: Item, stars: readonly Star[], scope: Scope, all: Items): void {
  const expanded = stars.map((star) => ({ star, ...columnsOf(context, star, scope) }))
  const [first] = expanded as [(typeof expanded)[0]]
  const isBare = item.expression.kind === 'star'
  if (expanded.some(({ columns }) => columns.length !== first.columns.length)) {
    context.report('An expression with several COLUMNS(…) that do not stand for equally many columns.')
  }
  for (const [place, { name, from }] of first.columns.entries()) {
    const replaced = first.star.replaced.find((one) => isSameName(one.name, name))
    const starred = new Map(expanded.map(({ star, columns }) => [star, columns[place]?.from ?? Sources.none]))
    if (isBare && replaced === undefined) add(all, item, name, from)
    else if (replaced === undefined) add(all, item, name, sourcesOf(context, item.expression, scope, starred))
    else add(all, item, name, sourcesOf(context, replaced.expression, { ...scope, aliases: NO_ALIASES }))
  }
  for (const { openings } of expanded) {
    all.openings.push(...openings.map((opening) => (isBare ? opening : { ...opening, isMade: true })))
  }
}

function groupsOf(context: Context, select: Select, columns: readonly Column[], scope: Scope): Sources {
  if (select.groups === 'all') {
    const grouped = select.items
      .filter(({ expression }) => !isAggregate(expression))
      .map(({ expression }) => sourcesOf(context, expression, scope).as('grouped'))
    return Sources.of(grouped)
  }
  return Sources.of(select.groups.map((group) => byPosition(context, group, columns, scope).as('grouped')))
}

/** What an expression comes from, where a number stands for a column of the result. */
function byPosition(context: Context, expression: Expression, columns: readonly Column[], scope: Scope): Sources {
  if (expression.kind === 'position' && expression.of === 'result') {
    return columns[expression.number - 1]?.from ?? Sources.none
  }
  return sourcesOf(context, expression, scope)
}

/** DISTINCT, ORDER BY and LIMIT, which set operations have too. */
export function modified(context: Context, query: Query, rowSet: RowSet, scope: Scope): RowSet {
  const ordering: Scope = { ...scope, isAliasFirst: true }
  const of = (expression: Expression) => {
    // ORDER BY ALL
    if (expression.kind === 'star') return Sources.of(rowSet.columns.map(({ from }) => from))
    return byPosition(context, expression, rowSet.columns, ordering)
  }
  const rows = [rowSet.rows]
  const order = query.order.length > 0 ? Sources.of(query.order.map((one) => of(one).as('sorted'))) : rowSet.order
  if (query.distinct === 'all') rows.push(Sources.of(rowSet.columns.map(({ from }) => from)).as('grouped'))
  else if (query.distinct !== 'none') rows.push(...query.distinct.map((one) => of(one).as('grouped')), order)
  if (query.distinct === 'all' && rowSet.openings.length > 0) {
    context.report('DISTINCT over columns that are not known.')
  }
  if (query.isLimited) rows.push(order, ...query.limits.map((one) => sourcesOf(context, one, scope).as('filtered')))
  context.effort.spend(rows.reduce((sum, { size }) => sum + size, 0))
  return { ...rowSet, rows: Sources.of(rows), order }
}

/** The scope of ORDER BY after a set operation: the names of the result, and nothing else. */
export function resultScope({ columns, openings }: RowSet, around: Scope): Scope {
  const offer = { ...NOTHING, visible: columns, openings }
  return { ...scopeOf(around), offer }
}
