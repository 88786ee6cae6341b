import { type Condition, type ConditionValue, EVERYTHING, type Wish } from '../wish.ts'
import type { SqlParameters } from './messages.ts'

/** A part of a tree that `json_serialize_sql` makes. */
interface Part {
  readonly [name: string]: unknown
}

const COMPARISONS: Readonly<Record<string, readonly [is: Condition['is'], turned: Condition['is']]>> = {
  COMPARE_EQUAL: ['=', '='],
  COMPARE_LESSTHAN: ['<', '>'],
  COMPARE_LESSTHANOREQUALTO: ['<=', '>='],
  COMPARE_GREATERTHAN: ['>', '<'],
  COMPARE_GREATERTHANOREQUALTO: ['>=', '<=']
}
const WHOLE_NUMBERS: ReadonlySet<unknown> = new Set(['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT'])
const TIMES: ReadonlySet<unknown> = new Set(['DATE', 'TIMESTAMP', 'TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'])
/** What may stand after FROM without asking for columns that nobody names. */
const PLAIN_TABLES: ReadonlySet<unknown> = new Set(['BASE_TABLE', 'JOIN', 'SUBQUERY', 'EMPTY', 'EMPTY_FROM'])

/** What a statement needs of each of its relations. Where it is hard to tell, that is everything. */
export function wishesOf(
  tree: unknown,
  aliases: readonly string[],
  parameters: SqlParameters = []
): Record<string, Wish> {
  const parts = partsOf(withTimes(tree, parameters))
  const strings = new Set(parts.flatMap((part) => stringsOf(part)))
  return Object.fromEntries(aliases.map((alias) => [alias, wishFor(alias, parts, strings)]))
}

/** The tree with times in the place of their parameters: as a text, each means what it means when it is written there. */
function withTimes(tree: unknown, parameters: SqlParameters): unknown {
  const entries = Object.entries(parameters).map(([name, value]) => [lower(name), value] as const)
  const values = new Map(
    Array.isArray(parameters) ? entries.map(([at, value]) => [`${Number(at) + 1}`, value]) : entries
  )
  if (values.size === 0) return tree
  return JSON.parse(JSON.stringify(tree), (_, part) => {
    const value = isPart(part) && part.class === 'PARAMETER' ? values.get(lower(part.identifier)) : undefined
    const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
    return isTime ? { class: 'CONSTANT', value: { type: { id: 'VARCHAR' }, value } } : part
  })
}

function wishFor(alias: string, parts: readonly Part[], strings: ReadonlySet<string>): Wish {
  const name = alias.toLowerCase()
  // A common table expression may have the name, too.
  if (parts.some(({ key, value }) => lower(key) === name && isPart(value))) return EVERYTHING
  const uses = parts.filter(({ type, table_name }) => type === 'BASE_TABLE' && lower(table_name) === name)
  const names = needsAll(parts, namesOf(name, uses)) ? null : [...strings]
  const [use] = uses
  // Not every statement can be read as a tree.
  if (use === undefined) return EVERYTHING
  const select = parts.find(({ type, from_table }) => type === 'SELECT_NODE' && from_table === use)
  if (uses.length > 1 || select === undefined || isPart(use.sample) || isPart(select.sample))
    return { names, where: [], limit: null }
  const clauses = isPart(select.where_clause) ? clausesOf(select.where_clause) : []
  const where = clauses.map((clause) => conditionOf(clause, namesOf(name, uses)))
  const known = where.filter((one) => one !== undefined).flat()
  return { names, where: known, limit: where.includes(undefined) ? null : limitOf(select) }
}

/** What columns of a table can be qualified with. */
const namesOf = (name: string, uses: readonly Part[]) => new Set([name, ...uses.map(({ alias }) => lower(alias))])

/** Whether columns are asked for that are not named: by a star, as a whole row, or by what they have in common with others. */
function needsAll(parts: readonly Part[], names: ReadonlySet<string>): boolean {
  return parts.some((part) => {
    if (part.class === 'STAR' || part.ref_type === 'NATURAL') return true
    if (isPart(part.from_table) && !PLAIN_TABLES.has(part.from_table.type)) return true
    const { class: kind, column_names: own } = part
    return kind === 'COLUMN_REF' && Array.isArray(own) && own.length === 1 && names.has(lower(own[0]))
  })
}

function clausesOf(clause: Part): Part[] {
  if (clause.type !== 'CONJUNCTION_AND' || !Array.isArray(clause.children)) return [clause]
  return clause.children.filter(isPart).flatMap(clausesOf)
}

function conditionOf(clause: Part, names: ReadonlySet<string>): Condition[] | undefined {
  const { type, left, right, input, lower: from, upper: to, children } = clause
  const comparison = COMPARISONS[String(type)]
  if (comparison !== undefined) {
    const [is, turned] = comparison
    return (
      single(columnOf(left, names), is, constantOf(right)) ?? single(columnOf(right, names), turned, constantOf(left))
    )
  }
  if (type === 'COMPARE_BETWEEN') {
    const column = columnOf(input, names)
    const [first, last] = [single(column, '>=', constantOf(from)), single(column, '<=', constantOf(to))]
    return first && last && [...first, ...last]
  }
  if (!Array.isArray(children)) return undefined
  const column = columnOf(children[0], names)
  if (column === undefined) return undefined
  if (type === 'OPERATOR_IS_NULL') return [{ column, is: 'null', values: [] }]
  if (type === 'OPERATOR_IS_NOT_NULL') return [{ column, is: 'not null', values: [] }]
  const values = children.slice(1).map(constantOf)
  if (type !== 'COMPARE_IN' || values.length === 0) return undefined
  const all = values.filter((value) => value !== undefined)
  return all.length === values.length ? [{ column, is: 'in', values: all }] : undefined
}

const single = (column: string | undefined, is: Condition['is'], value: ConditionValue | undefined) =>
  column === undefined || value === undefined ? undefined : [{ column, is, values: [value] }]

function columnOf(part: unknown, names: ReadonlySet<string>): string | undefined {
  if (!isPart(part) || part.class !== 'COLUMN_REF' || !Array.isArray(part.column_names)) return undefined
  const [first, second, ...rest] = part.column_names as string[]
  if (second === undefined) return first
  return rest.length === 0 && names.has(lower(first)) ? second : undefined
}

function constantOf(part: unknown): ConditionValue | undefined {
  if (!isPart(part)) return undefined
  if (part.type === 'OPERATOR_CAST' && TIMES.has(typeName(part.cast_type))) {
    const inner = constantOf(part.child)
    return inner !== undefined && 'text' in inner ? inner : undefined
  }
  const { type, value } = part.class === 'CONSTANT' && isPart(part.value) ? part.value : {}
  if (!isPart(type)) return undefined
  if (type.id === 'VARCHAR' && typeof value === 'string') return { text: value }
  const isExact = typeof value === 'number' && Number.isSafeInteger(value)
  return WHOLE_NUMBERS.has(type.id) && isExact ? { number: String(value) } : undefined
}

/** DuckDB knows some names of types at once, and looks up the others when a statement is run. */
function typeName(type: unknown): unknown {
  if (!isPart(type) || !isPart(type.type_info) || !isPart(type.type_info.expr))
    return isPart(type) ? type.id : undefined
  return String(type.type_info.expr.type_name).toUpperCase()
}

/** How many records a SELECT looks at that gives them as they are; null where it may look at all. */
function limitOf(select: Part): number | null {
  const { modifiers, select_list: list, aggregate_handling: aggregates, group_expressions: groups } = select
  if (!Array.isArray(modifiers) || !Array.isArray(list) || modifiers.length !== 1) return null
  const isSimple = (part: unknown) => isPart(part) && (part.class === 'COLUMN_REF' || part.class === 'STAR')
  if (aggregates !== 'STANDARD_HANDLING' || isFilled(groups) || isPart(select.having) || isPart(select.qualify))
    return null
  const [modifier] = modifiers
  if (!list.every(isSimple) || !isPart(modifier) || modifier.type !== 'LIMIT_MODIFIER') return null
  const [limit, offset] = [
    constantOf(modifier.limit),
    isPart(modifier.offset) ? constantOf(modifier.offset) : { number: '0' }
  ]
  if (limit === undefined || offset === undefined || !('number' in limit) || !('number' in offset)) return null
  const sum = Number(limit.number) + Number(offset.number)
  return Number(limit.number) >= 0 && Number(offset.number) >= 0 && Number.isSafeInteger(sum) ? sum : null
}

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null
const lower = (text: unknown): string => (typeof text === 'string' ? text.toLowerCase() : '')

/** All objects of a tree. */
function partsOf(tree: unknown): Part[] {
  const found: Part[] = []
  const left: unknown[] = [tree]
  while (left.length > 0) {
    const part = left.pop()
    if (!isPart(part)) continue
    if (!Array.isArray(part)) found.push(part)
    left.push(...Object.values(part))
  }
  return found
}

const stringsOf = (part: Part): string[] =>
  Object.values(part).flatMap((value) =>
    typeof value === 'string' ? [lower(value)] : Array.isArray(value) ? value.filter(isText).map(lower) : []
  )
const isText = (value: unknown): value is string => typeof value === 'string'
