import { folded } from '../names.ts'
import type { FunctionSource, JoinSource, QuerySource, Source, TableSource, ValuesSource } from '../query.ts'
import type { Context } from './context.ts'
import { sourcesOf } from './expressions.ts'
import { combined } from './joins.ts'
import { pivoted, unpivoted } from './pivots.ts'
import {
  type Column,
  NOTHING,
  type Offer,
  offerOf,
  openingOf,
  type RowSet,
  renamed,
  withDistinctNames
} from './row-set.ts'
import { type CommonTables, type Scope, scopeOf } from './scope.ts'
import { Sources } from './sources.ts'

/** What a part of FROM offers. `around` is where the query stands; what stands before it in FROM may be part of that. */
export function offered(context: Context, source: Source, around: Scope): Offer {
  return context.effort.deeper(() => offeredBy(context, source, around))
}

function offeredBy(context: Context, source: Source, around: Scope): Offer {
  switch (source.kind) {
    case 'table':
      return ofTable(context, source, around)
    case 'query':
      return ofQuery(context, source, around)
    case 'join':
      return ofJoins(context, source, around)
    case 'values':
      return named(source, ofValues(context, source, around))
    case 'function':
      return named(source, ofFunction(context, source, around))
    case 'pivot':
      return named(source, pivoted(context, source, offered(context, source.source, around), around))
    case 'unpivot':
      return named(source, unpivoted(context, source, offered(context, source.source, around), around))
    case 'unknown': {
      context.report(source.what)
      const read = source.of.map((query) => context.rowSetOf(query, around))
      const rows = Sources.of(read.map((rowSet) => rowSet.rows))
      return named(source, { columns: [], openings: [openingOf(null)], rows, order: Sources.none })
    }
  }
}

const named = (source: { alias: string | null; columns: readonly string[] }, rowSet: RowSet): Offer =>
  offerOf(source.alias === null ? [] : [source.alias], withNames(rowSet, source.columns))

/** With the names of an alias; those beyond the known columns fall to columns that are not known. */
function withNames(rowSet: RowSet, names: readonly string[]): RowSet {
  const all = renamed(rowSet, names)
  if (all.openings.length === 0 || names.length <= all.columns.length) return all
  // Which of its columns has which name can't be told, but each of them is one of them.
  const from = Sources.of(all.openings.map((opening) => opening.from))
  const more = names.slice(all.columns.length).map((name) => ({ name, from }))
  return { ...all, columns: [...all.columns, ...more] }
}

function ofTable(context: Context, source: TableSource, around: Scope): Offer {
  const { path, alias } = source
  const names = alias === null ? path : [alias]
  const common = source.isTarget ? undefined : commonTable(path, around.common)
  if (common !== undefined) return offerOf(names, withNames(common.rowSet(), source.columns))
  const { name, columns: known } = context.tables.find(path)
  const onUse = () => context.tables.read(name)
  if (!source.isTarget) onUse()
  if (known !== null) {
    context.effort.spend(known.length)
    const columns = known.map((column) => ({ name: column, from: Sources.column(name, column) }))
    return offerOf(names, renamed({ ...EMPTY, columns }, source.columns))
  }
  if (source.columns.length > 0) context.report(`The columns of ${name}, which an alias gives other names.`)
  const columns = source.columns.map((column) => ({ name: column, from: Sources.none }))
  return offerOf(names, { ...EMPTY, columns, openings: [openingOf(name, Sources.none, onUse)] })
}

const EMPTY: RowSet = { columns: [], openings: [], rows: Sources.none, order: Sources.none }

/** `recurring.name` is what a recursive query has found so far. */
function commonTable(path: readonly string[], common: CommonTables | null): CommonTables | undefined {
  const isRecurring = path.length === 2 && folded(path[0] as string) === 'recurring'
  if (path.length > 1 && !isRecurring) return undefined
  const name = folded(path.at(-1) as string)
  for (let one = common; one !== null; one = one.others) {
    if (folded(one.name) === name && (!isRecurring || one.isRecursion)) return one
  }
  return undefined
}

function ofQuery(context: Context, source: QuerySource, around: Scope): Offer {
  const scope = source.isLateral ? around : { ...around, offer: NOTHING }
  return named(source, withDistinctNames(context.rowSetOf(source.query, scope)))
}

/** Joins lean to the left, so that a long chain of them is no deep one. */
function ofJoins(context: Context, last: JoinSource, around: Scope): Offer {
  const chain: JoinSource[] = []
  let source: Source = last
  for (; source.kind === 'join'; source = source.left) chain.push(source)
  let left = offered(context, source, around)
  for (const join of chain.reverse()) {
    // What stands on the right may use what stands on the left.
    const right = offered(context, join.right, { ...scopeOf(around), offer: left })
    left = combined(context, join, left, right, around)
  }
  return left
}

function ofValues(context: Context, { rows }: ValuesSource, around: Scope): RowSet {
  const columns: Column[] = (rows[0] ?? []).map((_, place) => ({
    name: `col${place}`,
    from: Sources.of(rows.map((row) => (row[place] ? sourcesOf(context, row[place], around) : Sources.none)))
  }))
  return { ...EMPTY, columns }
}

function ofFunction(context: Context, source: FunctionSource, around: Scope): RowSet {
  const of = Sources.of(source.of.map((one) => sourcesOf(context, one, around)))
  const from = of.computed
  const columns = (source.outputs ?? []).map((name) => ({ name, from }))
  const openings = source.outputs === null ? [openingOf(null, from)] : []
  if (source.outputs === null && source.columns.length === 0) {
    context.report(`The columns that the function ${source.name} gives.`)
  }
  return { columns, openings, rows: of.as('joined'), order: Sources.none }
}
