import { folded, isSameName, joined } from '../names.ts'
import type { Path, Star } from '../query.ts'
import type { Context } from './context.ts'
import { type Column, columnsNamed, hiding, isNamed, type Opening, openColumn, openingOf } from './row-set.ts'
import { resolve, type Scope } from './scope.ts'

export interface StarColumns {
  readonly columns: readonly Column[]
  readonly openings: readonly Opening[]
}

/** The columns that a star stands for, but for what REPLACE puts in their place. */
export function columnsOf(context: Context, star: Star, scope: Scope): StarColumns {
  const all = star.table.length === 0 ? everything(scope) : ofTable(context, star.table, scope)
  context.effort.spend(all.columns.length)
  const excluded = star.excluded.map(last)
  const hidden = new Set(excluded.map(folded))
  const columns: Column[] = []
  const named: string[] = []
  for (const column of all.columns) {
    if (hidden.has(folded(column.name)) && star.excluded.some((path) => isMeant(path, column, scope))) continue
    if (star.isMeant !== null && !star.isMeant(column.name)) continue
    columns.push({ ...column, name: newName(star, column.name) })
  }
  // Columns that are not known have those at least that are renamed and replaced.
  const [open] = all.openings
  if (all.openings.length === 1 && open !== undefined) {
    for (const name of [...star.renamed.map(({ path }) => last(path)), ...star.replaced.map((one) => one.name)]) {
      if (columnsNamed(all.columns, name).length > 0) continue
      columns.push({ name: newName(star, name), from: openColumn(open, name) })
      named.push(name)
    }
  }
  return { columns, openings: all.openings.map((opening) => hiding(opening, [...excluded, ...named])) }
}

const last = (path: Path): string => path.at(-1) as string

const newName = ({ renamed }: Star, name: string) =>
  renamed.find(({ path }) => isSameName(last(path), name))?.name ?? name

/** `EXCLUDE (t.x)` leaves out the `x` of one table only. */
function isMeant(path: Path, column: Column, { offer }: Scope): boolean {
  if (path.length === 1) return true
  const qualifier = path.slice(0, -1)
  return offer.bindings.some((binding) => isNamed(binding, qualifier) && binding.columns.includes(column))
}

const everything = ({ offer }: Scope): StarColumns => ({ columns: offer.visible, openings: offer.openings })

function ofTable(context: Context, table: Path, scope: Scope): StarColumns {
  for (let here: Scope | null = scope; here !== null; here = here.outer) {
    const binding = here.offer.bindings.find((one) => isNamed(one, table))
    if (binding !== undefined) return binding
  }
  context.report(`The columns of ${joined(table)}.*: it may be a part of a column, whose own parts are not known.`)
  return { columns: [], openings: [openingOf(null, resolve(table, scope, context).computed)] }
}
