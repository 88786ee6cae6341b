import { isSameName } from '../names.ts'
import type { JoinSource } from '../query.ts'
import type { Context } from './context.ts'
import { sourcesOf } from './expressions.ts'
import { type Column, columnsNamed, hiding, type Offer, openColumn } from './row-set.ts'
import { type Scope, scopeOf } from './scope.ts'
import { Sources } from './sources.ts'

/** What a JOIN offers, of what its two sides do. */
export function combined(context: Context, join: JoinSource, left: Offer, right: Offer, around: Scope): Offer {
  const both: Offer = {
    bindings: [...left.bindings, ...right.bindings],
    visible: [...left.visible, ...right.visible],
    openings: [...left.openings, ...right.openings],
    rows: Sources.of([left.rows, right.rows]),
    order: left.order
  }
  context.effort.spend(both.visible.length + both.rows.size)
  const scope: Scope = { ...scopeOf(around), offer: both }
  const on = join.on === null ? Sources.none : sourcesOf(context, join.on, scope).as('joined')
  const offer = { ...both, rows: Sources.of([both.rows, on]) }
  const using = join.using === 'all that both have' ? sharedNames(context, left, right) : join.using
  const merged = using.length === 0 ? offer : withMerged(context, join, offer, { left, right, using })
  if (join.side !== 'left only') return merged
  return { ...left, rows: merged.rows }
}

/** Of NATURAL. */
function sharedNames(context: Context, left: Offer, right: Offer): string[] {
  if (left.openings.length > 0 || right.openings.length > 0) {
    context.report('NATURAL JOIN of tables whose columns are not known.')
  }
  return left.visible.map(({ name }) => name).filter((name) => columnsNamed(right.visible, name).length > 0)
}

interface Sides {
  readonly left: Offer
  readonly right: Offer
  readonly using: readonly string[]
}

/** USING makes one column of two. */
function withMerged(context: Context, join: JoinSource, offer: Offer, sides: Sides): Offer {
  const columns = sides.using.map((name) => mergedColumn(context, join, sides, name))
  const isUsed = ({ name }: Column) => sides.using.some((one) => isSameName(one, name))
  const mergedFor = ({ name }: Column) => columns.find((column) => isSameName(column.name, name))?.column as Column
  const leftNames = sides.left.visible.filter(isUsed)
  const first = columns.filter(({ name }) => !leftNames.some((one) => isSameName(one.name, name)))
  const rest = [...sides.left.visible.map((column) => (isUsed(column) ? mergedFor(column) : column))]
  const right = sides.right.visible.filter((column) => !isUsed(column))
  const visible = context.traits.putsUsingFirst
    ? [...columns.map(({ column }) => column), ...sides.left.visible.filter((column) => !isUsed(column)), ...right]
    : [...first.map(({ column }) => column), ...rest, ...right]
  const rows = Sources.of([offer.rows, ...columns.map(({ joined }) => joined.as('joined'))])
  return { ...offer, visible, openings: offer.openings.map((opening) => hiding(opening, sides.using)), rows }
}

function mergedColumn(context: Context, { side }: JoinSource, { left, right }: Sides, name: string) {
  const ofLeft = usedColumn(left, name)
  const ofRight = usedColumn(right, name)
  if (ofLeft === undefined || ofRight === undefined) {
    context.report(`The column ${name} of USING: which table it is of is not known.`)
  }
  const leftFrom = ofLeft?.from ?? Sources.none
  const rightFrom = ofRight?.from ?? Sources.none
  const joined = Sources.of([leftFrom, rightFrom])
  const from = side === 'full' ? joined.computed : side === 'right' ? rightFrom : leftFrom
  return { name, joined, column: { name: ofLeft?.name ?? name, from } }
}

function usedColumn({ visible, openings }: Offer, name: string): Column | undefined {
  const [column] = columnsNamed(visible, name)
  if (column !== undefined) return column
  const [open] = openings
  return openings.length === 1 && open !== undefined ? { name, from: openColumn(open, name) } : undefined
}
