import { isNode, type Node } from '../duckdb/node.ts'
import { Effort, GivenUp } from '../effort.ts'
import { folded } from '../names.ts'
import {
  CONSTANT,
  type CommonTable,
  type Expression,
  type Item,
  type Query,
  type Select,
  type Star,
  simpleQuery
} from '../query.ts'
import type { OtherDialect } from './dialect.ts'
import { DialectExpressions, isUnnesting } from './expressions.ts'
import { postgresName } from './result-names.ts'
import { namesOf, readFrom, readRelation } from './sources.ts'
import { identifier, kindOf, listOf, nodeOf, ofKind, pathIn } from './tree.ts'

/** Parts of a SELECT that only some databases have, and that nobody has looked at yet. */
const UNREAD = ['into', 'top', 'prewhere', 'value_table_mode', 'exclude', 'select_modifiers_into']
const UNREAD_LISTS = ['lateral_views', 'cluster_by', 'distribute_by', 'sort_by', 'connect_by']

export class DialectQueries {
  readonly #effort = new Effort()
  readonly expressions: DialectExpressions

  readonly #dialect: OtherDialect

  constructor(dialect: OtherDialect) {
    this.#dialect = dialect
    this.expressions = new DialectExpressions({ readQuery: this.read, deeper: this.deeper })
  }

  deeper = <T>(work: () => T): T => this.#effort.deeper(work)

  read = (item: unknown): Query =>
    this.deeper(() => {
      const node = nodeOf(item)
      if (listOf(node.pipe_operators).length > 0 || isNode(node.for_clause))
        throw new GivenUp('A part of a query that is not known.')
      const body = this.#body(node.body, node)
      return {
        ...simpleQuery(body),
        common: this.common(node.with),
        distinct: this.#distinct(node.body),
        ...this.#rest(node)
      }
    })

  from = (tables: readonly unknown[], expressions = this.expressions) =>
    readFrom(tables, { expressions, readQuery: this.read, deeper: this.deeper })

  relation = (item: unknown) =>
    readRelation(item, { expressions: this.expressions, readQuery: this.read, deeper: this.deeper })

  #body(item: unknown, query: Node): Query['body'] {
    const found = kindOf(item)
    const node = nodeOf(found?.value)
    if (found?.kind === 'Select') return this.#select(node)
    if (found?.kind === 'Values') return this.#values(node)
    if (found?.kind === 'SetOperation') return this.#setOperation(node)
    if (found?.kind === 'Query') {
      const inner: Query = this.read(found.value)
      const from = { kind: 'query', query: inner, isLateral: false, alias: null, columns: [] } as const
      return { ...EMPTY_SELECT, items: [everything], from }
    }
    throw new GivenUp(`A query of the kind ${found?.kind ?? typeof query}.`)
  }

  #setOperation(node: Node): Query['body'] {
    const operation = OPERATIONS.get(String(node.op))
    const quantifier = String(node.set_quantifier)
    if (operation === undefined || !/^(?:All|Distinct|None)$/.test(quantifier)) {
      throw new GivenUp(`The set operation ${String(node.op)} ${quantifier}.`)
    }
    const sides = [node.left, node.right].map((body) => this.read({ body }))
    return { kind: 'set', operation, isByName: false, isAll: quantifier === 'All', sides }
  }

  #values(node: Node): Select {
    const rows = listOf(node.rows).map((row) => listOf(nodeOf(row).content ?? row).map(this.expressions.read))
    const from = {
      kind: 'values',
      rows,
      alias: null,
      columns: (rows[0] ?? []).map((_, i) => `column${i + 1}`)
    } as const
    return { ...EMPTY_SELECT, items: [everything], from }
  }

  #select(node: Node): Select {
    for (const name of UNREAD) if (isNode(node[name])) throw new GivenUp(`SELECT with ${name.toUpperCase()}.`)
    for (const name of UNREAD_LISTS) if (listOf(node[name]).length > 0) throw new GivenUp(`SELECT with ${name}.`)
    const windows = listOf(node.named_window).map(
      (one) => [folded(identifier(listOf(one)[0])), listOf(one)[1]] as const
    )
    const expressions = this.expressions.with(new Map(windows))
    const [groups] = listOf(ofKind(node.group_by, 'Expressions'))
    return {
      kind: 'select',
      items: listOf(node.projection).map((item) => readItem(item, expressions, this.#dialect)),
      from: this.from(listOf(node.from), expressions),
      where: expressions.orNull(node.selection),
      groups: ofKind(node.group_by, 'All') === undefined ? listOf(groups).map(expressions.readTarget) : 'all',
      having: expressions.orNull(node.having),
      qualify: expressions.orNull(node.qualify)
    }
  }

  #distinct(body: unknown): Query['distinct'] {
    const distinct = kindOf(nodeOf(ofKind(body, 'Select')).distinct)
    if (distinct?.kind === 'On') return listOf(distinct.value).map(this.expressions.readTarget)
    return distinct?.kind === 'Distinct' ? 'all' : 'none'
  }

  /** The parts of WITH. */
  common(item: unknown): CommonTable[] {
    const { recursive, cte_tables } = nodeOf(item)
    return listOf(cte_tables).map((table) => {
      const { alias, query } = nodeOf(table)
      const names = namesOf(alias)
      const read = this.read(query)
      const name = names.alias ?? ''
      const { body } = read
      if (recursive !== true || body.kind !== 'set' || body.operation !== 'union')
        return { name, columns: names.columns, query: read }
      const [first, again] = body.sides as [Query, Query]
      const recursion = {
        kind: 'recursion',
        name,
        columns: names.columns,
        isAll: body.isAll,
        first,
        again,
        keys: []
      } as const
      return { name, columns: names.columns, query: { ...read, body: recursion } }
    })
  }

  #rest(node: Node): Pick<Query, 'order' | 'isLimited' | 'limits'> {
    const order = listOf(ofKind(nodeOf(node.order_by).kind, 'Expressions')).map((one) => nodeOf(one).expr)
    const clause = nodeOf(kindOf(node.limit_clause)?.value)
    const limits: Expression[] = [
      clause.limit,
      nodeOf(clause.offset).value ?? clause.offset,
      nodeOf(node.fetch).quantity
    ]
      .filter(isNode)
      .map(this.expressions.read)
    return {
      order: order.map(this.expressions.readTarget),
      isLimited: isNode(node.limit_clause) || isNode(node.fetch),
      limits: limits.filter((limit) => limit !== CONSTANT)
    }
  }
}

const OPERATIONS = new Map([
  ['Union', 'union'],
  ['Except', 'except'],
  ['Intersect', 'intersect']
] as const) as ReadonlyMap<string, 'union' | 'except' | 'intersect'>

const star = (table: readonly string[]): Star => ({
  kind: 'star',
  table,
  excluded: [],
  replaced: [],
  renamed: [],
  isMeant: null,
  isUnpacked: false
})

const everything: Item = { expression: star([]), alias: null, name: null, isUnnested: false }

const EMPTY_SELECT = { kind: 'select', where: null, groups: [], having: null, qualify: null } as const

function readItem(item: unknown, { read }: DialectExpressions, dialect: OtherDialect): Item {
  const found = kindOf(item)
  const plain = { alias: null, name: null, isUnnested: false }
  if (found?.kind === 'Wildcard' || found?.kind === 'QualifiedWildcard') {
    const [table, options] = found.kind === 'Wildcard' ? [undefined, found.value] : listOf(found.value)
    const hasOptions = Object.entries(nodeOf(options)).some(([name, value]) => name.startsWith('opt_') && isNode(value))
    if (hasOptions) return { expression: { kind: 'unknown', what: '* with more than a table.' }, ...plain }
    return { expression: star(pathIn(ofKind(table, 'ObjectName'))), ...plain }
  }
  const expression = found?.kind === 'ExprWithAlias' ? nodeOf(found.value).expr : found?.value
  const alias = found?.kind === 'ExprWithAlias' ? identifier(nodeOf(found.value).alias) : null
  const path = ofKind(expression, 'CompoundIdentifier')
  const own = ofKind(expression, 'Identifier')
  const column = path !== undefined ? (pathIn(path).at(-1) ?? null) : own !== undefined ? identifier(own) : null
  const name = column ?? (dialect === 'postgres' ? postgresName(expression) : null)
  return { expression: read(expression), alias, name, isUnnested: isUnnesting(expression) }
}
