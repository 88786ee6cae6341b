import { isNode, type Node } from '../duckdb/node.ts'
import { GivenUp } from '../effort.ts'
import {
  type Expression,
  type Item,
  type Query,
  type Select,
  type Source,
  type Statement,
  simpleQuery,
  type WrittenPart
} from '../query.ts'
import type { OtherDialect } from './dialect.ts'
import { EXCLUDED } from './expressions.ts'
import { DialectQueries } from './queries.ts'
import { kindOf, listOf, nodeOf, ofKind, pathIn } from './tree.ts'

/** A statement from the tree of the parser for other dialects. */
export function readStatement(tree: unknown, dialect: OtherDialect): Statement {
  const [statement, ...more] = listOf(tree)
  if (statement === undefined || more.length > 0) throw new GivenUp('The SQL is not exactly one statement.')
  const queries = new DialectQueries(dialect)
  const query = nodeOf(ofKind(statement, 'Query'))
  const written = kindOf(query.body)
  // What writes stands in a query where it has a WITH before it.
  if (written === undefined || !WRITES.has(written.kind)) return readPlain(queries, statement)
  const common = queries.common(query.with)
  const read = readPlain(queries, written.value)
  if (read.kind === 'query') throw new GivenUp(`Statements of the kind ${written.kind}.`)
  const withCommon = (one: Query): Query => ({ ...one, common: [...common, ...one.common] })
  return { ...read, parts: read.parts.map((part) => ({ ...part, query: withCommon(part.query) })) }
}

const WRITES = new Set(['Insert', 'Update', 'Delete', 'Merge'])

function readPlain(queries: DialectQueries, statement: unknown): Statement {
  const found = kindOf(statement)
  const node = nodeOf(found?.value)
  if (found?.kind === 'Query') return { kind: 'query', query: queries.read(node) }
  if (found?.kind === 'Insert') return readInsert(queries, node)
  if (found?.kind === 'Update') return readUpdate(queries, node)
  if (found?.kind === 'Delete') return readDelete(queries, node)
  if (found?.kind === 'Merge') return readMerge(queries, node)
  if (found?.kind === 'CreateView' || found?.kind === 'CreateTable') return readCreate(queries, node)
  throw new GivenUp(`Statements of the kind ${found?.kind ?? 'without a name'}.`)
}

const select = (from: Source | null, where: Expression | null, items: readonly Item[]): Query =>
  simpleQuery({ kind: 'select', items, from, where, groups: [], having: null, qualify: null } satisfies Select)

function readInsert(queries: DialectQueries, node: Node): Statement {
  const target = pathIn(ofKind(node.table, 'TableName'))
  if (target.length === 0) throw new GivenUp('INSERT into something that is no table.')
  const list = listOf(node.columns).map((column) => pathIn(column).at(-1) ?? '')
  if (!isNode(node.source)) throw new GivenUp('INSERT without a query.')
  const query = queries.read(node.source)
  const parts: WrittenPart[] = [{ query, columns: list.length > 0 ? list : 'in order' }]
  if (isNode(node.on)) {
    const assignments = ofKind(node.on, 'DuplicateKeyUpdate')
    const { action } = nodeOf(ofKind(node.on, 'OnConflict'))
    const update = assignments === undefined ? ofKind(action, 'DoUpdate') : { assignments }
    if (update !== undefined) {
      if (list.length === 0) throw new GivenUp('INSERT that updates rows which are there, without a list of columns.')
      const excluded: Source = { kind: 'query', query, isLateral: false, alias: EXCLUDED, columns: list }
      const own: Source = { kind: 'table', path: target, isTarget: true, alias: null, columns: [] }
      const from: Source = { kind: 'join', side: 'inner', left: own, right: excluded, on: null, using: [] }
      parts.push(assigned(queries, nodeOf(update), from))
    }
  }
  return { kind: 'write', target, parts }
}

/** What SET writes, of rows that WHERE chooses. */
function assigned(queries: DialectQueries, { assignments, selection }: Node, from: Source): WrittenPart {
  const columns: string[] = []
  const items: Item[] = []
  for (const assignment of listOf(assignments)) {
    const { target, value } = nodeOf(assignment)
    const tuple = ofKind(target, 'Tuple')
    const names = tuple === undefined ? [pathIn(ofKind(target, 'ColumnName'))] : listOf(tuple).map(pathIn)
    const values = tuple === undefined ? [value] : listOf(ofKind(value, 'Tuple'))
    if (names.length !== values.length) throw new GivenUp('SET of several columns by one subquery.')
    for (const [place, name] of names.entries()) {
      columns.push(name.at(-1) ?? '')
      items.push({ expression: queries.expressions.read(values[place]), alias: null, name: null, isUnnested: false })
    }
  }
  return { query: select(from, queries.expressions.orNull(selection), items), columns }
}

/** Marks the table that is written, which stands first. */
function withTarget(source: Source): { readonly source: Source; readonly target: readonly string[] } {
  const joins: Extract<Source, { kind: 'join' }>[] = []
  let first = source
  for (; first.kind === 'join'; first = first.left) joins.push(first)
  if (first.kind !== 'table') throw new GivenUp('A statement that writes something that is no table.')
  const marked: Source = { ...first, isTarget: true }
  return { source: joins.reduceRight<Source>((left, join) => ({ ...join, left }), marked), target: first.path }
}

function readUpdate(queries: DialectQueries, node: Node): Statement {
  const others = listOf(ofKind(node.from, 'AfterSet') ?? ofKind(node.from, 'BeforeSet'))
  const from = queries.from([node.table, ...others])
  if (from === null) throw new GivenUp('UPDATE of nothing.')
  const { source, target } = withTarget(from)
  const names = listOf(node.assignments).map((one) => pathIn(ofKind(nodeOf(one).target, 'ColumnName')))
  // MySQL may write several tables at once.
  if (listOf(nodeOf(node.table).joins).length > 0) {
    const first = targetName(source)
    if (!names.every((path) => path.length > 1 && first === path.at(-2))) {
      throw new GivenUp('UPDATE with JOIN, of a column that is not of the first table.')
    }
  }
  return { kind: 'write', target, parts: [assigned(queries, node, source)] }
}

function targetName(source: Source): string | undefined {
  let first = source
  while (first.kind === 'join') first = first.left
  return first.kind === 'table' ? (first.alias ?? first.path.at(-1)) : undefined
}

function readDelete(queries: DialectQueries, node: Node): Statement {
  const tables = listOf(ofKind(node.from, 'WithFromKeyword') ?? ofKind(node.from, 'WithoutKeyword'))
  if (tables.length !== 1 || listOf(node.tables).length > 0) throw new GivenUp('DELETE from several tables.')
  const from = queries.from([...tables, ...listOf(node.using)])
  if (from === null) throw new GivenUp('DELETE from nothing.')
  const { source, target } = withTarget(from)
  const where = queries.expressions.orNull(node.selection)
  return { kind: 'write', target, parts: [{ query: select(source, where, []), columns: 'by name' }] }
}

function readMerge(queries: DialectQueries, node: Node): Statement {
  const own = queries.relation(node.table)
  const on = queries.expressions.read(node.on)
  const joined: Source = { kind: 'join', side: 'inner', left: own, right: queries.relation(node.source), on, using: [] }
  const { source, target } = withTarget(joined)
  const parts: WrittenPart[] = [{ query: select(source, null, []), columns: 'by name' }]
  for (const clause of listOf(node.clauses)) {
    const { action, predicate } = nodeOf(clause)
    const found = kindOf(action)
    const body = nodeOf(found?.value)
    if (found?.kind === 'Update') parts.push(assigned(queries, { ...body, selection: predicate }, source))
    else if (found?.kind === 'Insert') parts.push(insertedBy(queries, body, predicate, source))
    else if (found?.kind === 'Delete')
      parts.push({ query: select(source, queries.expressions.orNull(predicate), []), columns: 'by name' })
    else throw new GivenUp(`MERGE with ${found?.kind ?? 'an action that is not known'}.`)
  }
  return { kind: 'write', target, parts }
}

function insertedBy(queries: DialectQueries, node: Node, predicate: unknown, from: Source): WrittenPart {
  const rows = listOf(nodeOf(ofKind(node.kind, 'Values')).rows)
  if (rows.length !== 1) throw new GivenUp('MERGE with INSERT without VALUES.')
  const list = listOf(node.columns).map((column) => pathIn(column).at(-1) ?? '')
  const items = listOf(nodeOf(rows[0]).content ?? rows[0]).map((value): Item => {
    return { expression: queries.expressions.read(value), alias: null, name: null, isUnnested: false }
  })
  return {
    query: select(from, queries.expressions.orNull(predicate), items),
    columns: list.length > 0 ? list : 'in order'
  }
}

function readCreate(queries: DialectQueries, node: Node): Statement {
  const target = pathIn(node.name)
  const list = listOf(node.columns).map((column) => String(nodeOf(nodeOf(column).name).value ?? ''))
  if (target.length === 0) throw new GivenUp('CREATE of something without a name.')
  if (!isNode(node.query)) return { kind: 'write', target, parts: [] }
  const query = queries.read(node.query)
  return { kind: 'write', target, parts: [{ query, columns: list.length > 0 ? list : 'by name' }] }
}
