import { Effort, GivenUp } from '../effort.ts'
import {
  CONSTANT,
  type CommonTable,
  type Expression,
  type Item,
  type Query,
  type Select,
  simpleQuery
} from '../query.ts'
import { ExpressionReader, isUnnesting } from './expressions.ts'
import { isNode, type Node, nameIn, nodesIn, textOf, textsIn } from './node.ts'
import { resultName } from './result-names.ts'
import { SourceReader } from './sources.ts'

/** Reads queries of DuckDB's trees. */
export class QueryReader {
  readonly #effort = new Effort()
  readonly #expressions: ExpressionReader
  readonly #sources: SourceReader

  constructor() {
    const deeper = <T>(work: () => T): T => this.#effort.deeper(work)
    this.#expressions = new ExpressionReader(this.read, deeper)
    this.#sources = new SourceReader(this.#expressions, this.read, deeper)
  }

  read = (node: unknown): Query =>
    this.#effort.deeper(() => {
      if (!isNode(node)) throw new GivenUp('A query of the statement can’t be read.')
      return {
        ...simpleQuery(this.#body(node)),
        common: this.#common(node.cte_map),
        ...this.#modifiers(node.modifiers)
      }
    })

  #body(node: Node): Query['body'] {
    if (node.type === 'SELECT_NODE') return this.#select(node)
    if (node.type === 'SET_OPERATION_NODE') {
      const kind = textOf(node.setop_type)
      const operation = kind === 'EXCEPT' ? 'except' : kind === 'INTERSECT' ? 'intersect' : 'union'
      if (!/^(?:UNION|UNION_BY_NAME|EXCEPT|INTERSECT)$/.test(kind)) throw new GivenUp(`The set operation ${kind}.`)
      const isAll = node.setop_all === true
      return { kind: 'set', operation, isByName: kind === 'UNION_BY_NAME', isAll, sides: this.#sides(node) }
    }
    if (node.type === 'RECURSIVE_CTE_NODE') {
      return {
        kind: 'recursion',
        name: textOf(node.cte_name),
        columns: textsIn(node.aliases),
        isAll: node.union_all === true,
        first: this.read(node.left),
        again: this.read(node.right),
        keys: this.#expressions.readAll(node.key_targets)
      }
    }
    throw new GivenUp(`A query of the kind ${textOf(node.type) || 'that has no name'}.`)
  }

  /** A long chain of the same operation leans to the left; it is no deep one. */
  #sides(last: Node): Query[] {
    const sides: unknown[] = []
    let node: unknown = last
    while (isNode(node) && (node === last || continues(node, last))) {
      const children = Array.isArray(node.children) ? node.children : [node.left, node.right]
      sides.push(...children.slice(1).reverse())
      node = children[0]
    }
    return [node, ...sides.reverse()].map(this.read)
  }

  #select(node: Node): Select {
    const { read, orNull, readTarget } = this.#expressions
    return {
      kind: 'select',
      items: nodesIn(node.select_list).map((item) => this.#item(item)),
      from: isNode(node.from_table) && node.from_table.type !== 'EMPTY' ? this.#sources.read(node.from_table) : null,
      where: orNull(node.where_clause),
      groups:
        node.aggregate_handling === 'FORCE_AGGREGATES'
          ? 'all'
          : nodesIn(node.group_expressions).map((one) => readTarget(one)),
      having: orNull(node.having),
      qualify: isNode(node.qualify) ? read(node.qualify) : null
    }
  }

  #item(node: Node): Item {
    const isUnnested = isUnnesting(node)
    return { expression: this.#expressions.read(node), alias: nameIn(node.alias), name: resultName(node), isUnnested }
  }

  #common(map: unknown): CommonTable[] {
    return nodesIn(isNode(map) ? map.map : []).map(({ key, value }) => {
      const query = isNode(value) && isNode(value.query) ? value.query.node : undefined
      return { name: textOf(key), columns: isNode(value) ? textsIn(value.aliases) : [], query: this.read(query) }
    })
  }

  #modifiers(modifiers: unknown): Pick<Query, 'distinct' | 'order' | 'isLimited' | 'limits'> {
    let distinct: Query['distinct'] = 'none'
    const order: Expression[] = []
    const limits: Expression[] = []
    const all = nodesIn(modifiers)
    const { read, readTarget } = this.#expressions
    for (const node of all) {
      if (node.type === 'DISTINCT_MODIFIER') {
        const targets = nodesIn(node.distinct_on_targets)
        distinct = targets.length === 0 ? 'all' : targets.map(readTarget)
      } else if (node.type === 'ORDER_MODIFIER') {
        order.push(...nodesIn(node.orders).map(({ expression }) => readTarget(expression)))
      } else limits.push(...[node.limit, node.offset].filter(isNode).map(read))
    }
    return { distinct, order, isLimited: limits.length > 0, limits: limits.filter((limit) => limit !== CONSTANT) }
  }
}

/** Whether a set operation is the same one as that to its right, with nothing between. */
const continues = (node: Node, next: Node): boolean =>
  node.type === 'SET_OPERATION_NODE' &&
  node.setop_type === next.setop_type &&
  node.setop_type !== 'EXCEPT' &&
  node.setop_all === next.setop_all &&
  nodesIn(node.modifiers).length === 0 &&
  nodesIn(isNode(node.cte_map) ? node.cte_map.map : []).length === 0
