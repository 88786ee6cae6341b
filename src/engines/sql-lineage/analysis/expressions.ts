import { folded } from '../names.ts'
import type { Expression, Made, RowKind, Star } from '../query.ts'
import type { Context } from './context.ts'
import { resolve, type Scope, scopeOf } from './scope.ts'
import { Sources } from './sources.ts'
import { columnsOf } from './stars.ts'

interface Left {
  readonly expression: Expression
  readonly scope: Scope
  /** What the value decides about; null: it is part of a value. */
  readonly kind: RowKind | null
  readonly isBare: boolean
}

/**
 * What an expression comes from. `starred` has the column that stands for each `*` in it; without, each stands for all its
 * columns. A list of what is left replaces recursion, which SQL could make as deep as it likes.
 */
export function sourcesOf(
  context: Context,
  expression: Expression,
  scope: Scope,
  starred: ReadonlyMap<Star, Sources> | null = null
): Sources {
  const found: Sources[] = []
  const left: Left[] = [{ expression, scope, kind: null, isBare: true }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { expression: one, scope: here, kind, isBare } = next
    context.effort.spend(1)
    const add = (from: Sources) => {
      context.effort.spend(from.size)
      found.push(kind !== null ? from.as(kind) : isBare ? from : from.computed)
    }
    if (one.kind === 'column') add(resolve(one.path, here, context))
    else if (one.kind === 'made') pushParts(one, next, left, found)
    else if (one.kind === 'lambda') {
      const parameters = new Set(one.parameters.map(folded))
      const inner: Scope = { ...scopeOf(here), parameters }
      left.push({ expression: one.body, scope: inner, kind, isBare: false })
    } else if (one.kind === 'subquery') addSubquery(context, one, next, found)
    else if (one.kind === 'star') {
      const chosen = starred?.get(one)
      if (chosen !== undefined) add(chosen)
      else for (const { from } of columnsOf(context, one, here).columns) add(from.computed)
    } else if (one.kind === 'position') add(atPosition(context, one.number, one.of, here))
    else context.report(one.what)
  }
  return Sources.of(found)
}

function pushParts(made: Made, { scope, kind }: Left, left: Left[], found: Sources[]): void {
  for (const expression of made.of) left.push({ expression, scope, kind, isBare: false })
  for (const by of made.by) left.push({ expression: by.expression, scope, kind: by.kind, isBare: false })
  if (made.isOrdered) found.push(scope.offer.order.as('sorted'))
}

function addSubquery(
  context: Context,
  { query, isExistence }: Extract<Expression, { kind: 'subquery' }>,
  { scope, kind }: Left,
  found: Sources[]
): void {
  const { columns, openings, rows } = context.rowSetOf(query, scope)
  found.push(rows)
  if (isExistence) return
  if (openings.length > 0) context.report('A subquery with * over columns that are not known.')
  const from = Sources.of(columns.map((column) => column.from))
  context.effort.spend(from.size)
  found.push(kind === null ? from.computed : from.as(kind))
}

function atPosition(context: Context, number: number, of: 'result' | 'from', { offer }: Scope): Sources {
  if (of === 'result') return Sources.none
  const column = offer.openings.length === 0 ? offer.visible[number - 1] : undefined
  if (column === undefined) context.report(`The column #${number}: the columns before it are not known.`)
  return column?.from ?? Sources.none
}

/** Whether it has an aggregate, not counting those of subqueries. */
export function isAggregate(expression: Expression): boolean {
  const left = [expression]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one.kind !== 'made') continue
    if (one.isAggregate) return true
    left.push(...one.of)
  }
  return false
}

/** The stars in an expression that stand for one column at a time. */
export function starsIn(expression: Expression): Star[] {
  const stars: Star[] = []
  const left = [expression]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one.kind === 'star' && !one.isUnpacked) stars.push(one)
    if (one.kind === 'lambda') left.push(one.body)
    if (one.kind !== 'made') continue
    for (const part of one.of) left.push(part)
    for (const by of one.by) left.push(by.expression)
  }
  return stars
}
