import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../data/relation.ts'
import { parseSql } from './parse-sql.ts'

/** A cast in an expression of a user's: where records fail, it is nearly always one of these. */
export interface Cast {
  /** SQL of what is cast; casts within it give NULL where they fail. */
  readonly value: string
  /** SQL of the cast; NULL where it fails. */
  readonly tried: string
  /** The type as the user knows it: `DOUBLE`. */
  readonly type: string
  /** Whether the expression fails wherever the cast does: it is in no branch that may not be taken. */
  readonly isCertain: boolean
}

type Tree = Readonly<Record<string, unknown>>

/** The casts of columns in a SELECT of one expression, the innermost first. */
export async function castsIn(
  database: DuckDBConnection,
  select: string,
  aggregates: ReadonlySet<string>
): Promise<Cast[]> {
  const parsed = withoutPlaces(await parseSql(database, select)) as { statements?: { node: Tree }[] }
  const [statement] = parsed.statements ?? []
  if (statement === undefined) return []
  const found: Found[] = []
  collect(statement.node.select_list, true, found, aggregates)
  const casts: Cast[] = []
  for (const { cast, isCertain } of found) {
    const tried = forgiving(cast) as Tree
    const value = await textOf(database, parsed, tried.child as Tree)
    const attempt = await textOf(database, parsed, tried)
    if (value !== undefined && attempt !== undefined)
      casts.push({ value, tried: attempt, type: typeIn(attempt), isCertain })
  }
  return casts
}

interface Found {
  readonly cast: Tree
  readonly isCertain: boolean
}

/** Expressions of which every part is computed. Of all others, such as CASE, a part may not be. */
const ALWAYS_COMPUTED = new Set(['FUNCTION', 'CAST', 'COMPARISON', 'BETWEEN', 'CONSTANT', 'COLUMN_REF'])
/** Functions that compute some of their arguments only where they need them. */
const BRANCHES = new Set(['if', 'ifnull', 'nullif', 'try', 'list_transform', 'list_filter', 'list_reduce'])

/** Casts that depend on a record, but not on several of them. */
function collect(item: unknown, isCertain: boolean, found: Found[], aggregates: ReadonlySet<string>): void {
  if (typeof item !== 'object' || item === null) return
  const { class: kind, function_name: name, try_cast: isTried, child } = item as Tree
  const isBranch = kind !== undefined && (!ALWAYS_COMPUTED.has(String(kind)) || BRANCHES.has(String(name)))
  for (const inner of Object.values(item)) collect(inner, isCertain && !isBranch, found, aggregates)
  if (kind === 'CAST' && isTried !== true && has(child, isColumn) && !has(child, isOfSeveral(aggregates))) {
    found.push({ cast: item as Tree, isCertain })
  }
}

const isColumn = ({ class: kind }: Tree): boolean => kind === 'COLUMN_REF'

const isOfSeveral =
  (aggregates: ReadonlySet<string>) =>
  ({ class: kind, function_name: name }: Tree): boolean =>
    kind === 'WINDOW' || kind === 'SUBQUERY' || (kind === 'FUNCTION' && aggregates.has(String(name).toLowerCase()))

function has(item: unknown, holds: (tree: Tree) => boolean): boolean {
  if (typeof item !== 'object' || item === null) return false
  return holds(item as Tree) || Object.values(item).some((inner) => has(inner, holds))
}

/** The same with casts that give NULL instead of failing. */
function forgiving(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  if (Array.isArray(item)) return item.map(forgiving)
  const copy = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, forgiving(value)]))
  return copy.class === 'CAST' ? { ...copy, try_cast: true } : copy
}

/** Places in the text are numbers that JSON can't hold, and of no use here. */
function withoutPlaces(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  if (Array.isArray(item)) return item.map(withoutPlaces)
  const entries = Object.entries(item).map(([name, value]) => [
    name,
    name === 'query_location' ? 0 : withoutPlaces(value)
  ])
  return Object.fromEntries(entries)
}

/** SQL of an expression, in the words of DuckDB; undefined where it has none for it. */
async function textOf(database: DuckDBConnection, parsed: object, item: Tree): Promise<string | undefined> {
  const { statements } = parsed as { statements: { node: Tree }[] }
  const [statement] = statements
  const one = { ...statement, node: { ...statement?.node, select_list: [{ ...item, alias: '' }] } }
  try {
    const text = JSON.stringify({ ...parsed, statements: [one] })
    const reader = await database.runAndReadAll(`SELECT json_deserialize_sql(${sqlText(text)}::JSON)`)
    return String(reader.value(0, 0)).replace(/^SELECT /, '')
  } catch {
    return undefined
  }
}

function typeIn(tried: string): string {
  const [, type = 'another type'] = / AS ((?:[^()]|\([^()]*\))+)\)$/.exec(tried) ?? []
  return type.replaceAll('"', '')
}
