import { folded, isSameName, joined } from '../names.ts'
import type { Path } from '../query.ts'
import type { Traits } from './context.ts'
import { columnsNamed, isNamed, mayHold, NOTHING, type Offer, openColumn, type RowSet } from './row-set.ts'
import { Sources } from './sources.ts'

/** The parts of WITH that can be seen, the nearest first. */
export interface CommonTables {
  readonly name: string
  readonly isRecursion: boolean
  readonly rowSet: () => RowSet
  readonly others: CommonTables | null
}

/** What names in an expression can mean. */
export interface Scope {
  readonly offer: Offer
  /** Names that SELECT gives, folded. */
  readonly aliases: ReadonlyMap<string, Sources>
  /** An alias hides a column of the same name: in ORDER BY. */
  readonly isAliasFirst: boolean
  /** Of lambdas, folded. What they stand for is an argument of the same function, and counted there. */
  readonly parameters: ReadonlySet<string>
  readonly common: CommonTables | null
  readonly outer: Scope | null
}

/** The scope of a query that stands in another. */
export const scopeOf = (outer: Scope): Scope => ({ ...TOP, common: outer.common, outer })

/** Where nothing is around. */
export const TOP: Scope = {
  offer: NOTHING,
  aliases: new Map(),
  isAliasFirst: false,
  parameters: new Set(),
  common: null,
  outer: null
}

type Found =
  | { readonly is: 'found'; readonly from: Sources }
  /** It may be one of columns that are not known. */
  | { readonly is: 'perhaps'; readonly from: Sources }
  | { readonly is: 'unclear' }
  | undefined

interface Needs {
  readonly traits: Traits
  report(what: string): void
}

export function resolve(path: Path, scope: Scope, needs: Needs): Sources {
  // Such a name is a column only where one is known: hardly any table has a column that is called so.
  const isValue = path.length === 1 && needs.traits.valueNames.has(folded(path[0] as string))
  for (let here: Scope | null = scope; here !== null; here = here.outer) {
    const found = findIn(here, path)
    if (found === undefined) continue
    if (found.is === 'found') return found.from
    if (isValue) continue
    if (found.is === 'unclear') {
      needs.report(`Which table the column ${joined(path)} is of: the columns of several are not known.`)
      return Sources.none
    }
    const alias = path.length === 1 ? here.aliases.get(folded(path[0] as string)) : undefined
    if (alias !== undefined || isKnownAround(here.outer, path)) {
      needs.report(`What ${joined(path)} means: it may be a column of a table whose columns are not known.`)
    }
    return alias ?? found.from
  }
  if (isValue) return Sources.none
  needs.report(`The column ${joined(path)}: no table is known to have it.`)
  return Sources.none
}

/** A column's own spelling, where the path names one that is known. */
export function spellingOf(path: Path, { offer }: Scope): string | undefined {
  const [first, second] = path as [string, string | undefined]
  if (second === undefined) return columnsNamed(offer.visible, first)[0]?.name
  const name = path.at(-1) as string
  const binding = offer.bindings.find((one) => isNamed(one, path.slice(0, -1)))
  return binding && columnsNamed(binding.columns, name)[0]?.name
}

function isKnownAround(scope: Scope | null, path: Path): boolean {
  for (let here = scope; here !== null; here = here.outer) if (findIn(here, path) !== undefined) return true
  return false
}

function findIn(scope: Scope, path: Path): Found {
  const [first] = path as [string]
  if (scope.parameters.has(folded(first))) return { is: 'found', from: Sources.none }
  const alias = path.length === 1 ? scope.aliases.get(folded(first)) : undefined
  if (alias !== undefined && scope.isAliasFirst) return { is: 'found', from: alias }
  const found = ofTable(scope.offer, path) ?? visible(scope.offer, path) ?? wholeRow(scope.offer, path)
  if (found !== undefined) return found
  return unknownColumn(scope, path) ?? (alias && { is: 'found', from: alias })
}

/** `t.x`, `schema.t.x`, and fields of such a column. */
function ofTable({ bindings }: Offer, path: Path): Found {
  for (let length = Math.min(3, path.length - 1); length > 0; length--) {
    const qualifier = path.slice(0, length)
    const name = path[length] as string
    for (const binding of bindings) {
      if (!isNamed(binding, qualifier)) continue
      const [column] = columnsNamed(binding.columns, name)
      if (column !== undefined) return { is: 'found', from: field(column.from, path, length) }
      const open = binding.openings.filter((opening) => mayHold(opening, name))
      if (open.length === 1)
        return { is: 'found', from: field(openColumn(open[0] as (typeof open)[0], name), path, length) }
      if (open.length > 1) return { is: 'unclear' }
    }
  }
  return undefined
}

/** A column without its table, and fields of it. */
function visible({ visible: columns }: Offer, path: Path): Found {
  const named = columnsNamed(columns, path[0] as string)
  if (named.length === 0) return undefined
  return { is: 'found', from: field(Sources.of(named.map(({ from }) => from)), path, 0) }
}

/** The name of a table stands for its rows. */
function wholeRow({ bindings }: Offer, path: Path): Found {
  const binding = path.length === 1 ? bindings.find((one) => isNamed(one, path)) : undefined
  if (binding === undefined) return undefined
  if (binding.openings.length > 0) return { is: 'unclear' }
  return { is: 'found', from: Sources.of(binding.columns.map(({ from }) => from)).computed }
}

function unknownColumn({ offer, outer }: Scope, path: Path): Found {
  const [first] = path as [string]
  const open = offer.openings.filter((opening) => mayHold(opening, first))
  if (open.length === 0 || (path.length > 1 && isTableAround(outer, first))) return undefined
  if (open.length > 1) return { is: 'unclear' }
  return { is: 'perhaps', from: field(openColumn(open[0] as (typeof open)[0], first), path, 0) }
}

function isTableAround(scope: Scope | null, name: string): boolean {
  for (let here = scope; here !== null; here = here.outer) {
    if (here.offer.bindings.some(({ path }) => path.some((part) => isSameName(part, name)))) return true
  }
  return false
}

/** Of a part of a column, where the path goes on after its name. */
const field = (from: Sources, path: Path, place: number) => (place === path.length - 1 ? from : from.computed)
