import { distinctNames, folded, isSameName } from '../names.ts'
import type { Path } from '../query.ts'
import { Sources } from './sources.ts'

export interface Column {
  readonly name: string
  readonly from: Sources
}

/** Columns of which neither the names nor the number are known. */
export interface Opening {
  /** The table that they are of; null: no table is known, and `from` is what each of them comes from. */
  readonly table: string | null
  readonly from: Sources
  /** What is made of them rather than they themselves. */
  readonly isMade: boolean
  /** Names that are not among them, folded. */
  readonly hidden: ReadonlySet<string>
  /** Called when one of them is used. */
  readonly onUse?: () => void
}

/** Rows, with what is known of their columns. */
export interface RowSet {
  readonly columns: readonly Column[]
  readonly openings: readonly Opening[]
  /** What decides which rows there are. */
  readonly rows: Sources
  /** What the rows are in order of. */
  readonly order: Sources
}

/** Rows in FROM, with the names that it is known by. */
export interface Binding {
  readonly path: Path
  readonly columns: readonly Column[]
  readonly openings: readonly Opening[]
}

/** What FROM offers. */
export interface Offer {
  readonly bindings: readonly Binding[]
  /** What `*` gives, and what names without a table are looked up in. */
  readonly visible: readonly Column[]
  readonly openings: readonly Opening[]
  readonly rows: Sources
  readonly order: Sources
}

export const NOTHING: Offer = {
  bindings: [],
  visible: [],
  openings: [],
  rows: Sources.none,
  order: Sources.none
}

export const openingOf = (table: string | null, from = Sources.none, onUse?: () => void): Opening => ({
  table,
  from,
  isMade: false,
  hidden: new Set(),
  ...(onUse && { onUse })
})

export const hiding = (opening: Opening, names: readonly string[]): Opening => ({
  ...opening,
  hidden: new Set([...opening.hidden, ...names.map(folded)])
})

/** A column of this name, among those of which the names are not known. */
export function openColumn(opening: Opening, name: string): Sources {
  opening.onUse?.()
  const from = opening.table === null ? opening.from : Sources.of([Sources.column(opening.table, name), opening.from])
  return opening.isMade ? from.computed : from
}

const indexes = new WeakMap<readonly Column[], ReadonlyMap<string, readonly Column[]>>()

/** The columns of this name: of this very one where there are any, or else those that differ in case alone. */
export function columnsNamed(columns: readonly Column[], name: string): readonly Column[] {
  let index = indexes.get(columns)
  if (index === undefined) {
    index = Map.groupBy(columns, (column) => folded(column.name))
    indexes.set(columns, index)
  }
  const alike = index.get(folded(name)) ?? []
  const exact = alike.filter((column) => column.name === name)
  return exact.length > 0 ? exact : alike
}

export const mayHold = ({ hidden }: Opening, name: string): boolean => !hidden.has(folded(name))

/** With other names for the first columns. Names that fall to columns which are not known stay with none of them. */
export function renamed(rowSet: RowSet, names: readonly string[]): RowSet {
  if (names.length === 0) return rowSet
  const columns = rowSet.columns.map((column, place) => ({ ...column, name: names[place] ?? column.name }))
  return { ...rowSet, columns }
}

/** As others see it: no two columns of one name. */
export function withDistinctNames(rowSet: RowSet): RowSet {
  const names = distinctNames(rowSet.columns.map(({ name }) => name))
  if (rowSet.columns.every(({ name }, place) => name === names[place])) return rowSet
  return {
    ...rowSet,
    columns: rowSet.columns.map((column, place) => ({ ...column, name: names[place] as string }))
  }
}

export function offerOf(path: Path, { columns, openings, rows, order }: RowSet): Offer {
  return { bindings: [{ path, columns, openings }], visible: columns, openings, rows, order }
}

/** Whether `t`, `schema.t` and so on may mean this one. */
export const isNamed = ({ path }: Binding, name: Path): boolean =>
  name.length <= path.length &&
  name.every((part, place) => isSameName(part, path[path.length - name.length + place] as string))
