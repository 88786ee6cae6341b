import { folded } from '../names.ts'
import { CONSTANT, type Expression, type Made, madeOf, type Query, type RowKind } from '../query.ts'
import { AGGREGATES, ORDERED, UNNESTING, WITH_LAMBDAS } from './functions.ts'
import { isNode, type Node, nodesIn, pathOf, textOf, textsIn } from './node.ts'
import { readStar, starWithPattern } from './stars.ts'

/** Reads the query of a subquery. */
export type ReadQuery = (node: unknown) => Query

type Deeper = <T>(work: () => T) => T

/** Reads expressions of DuckDB's trees. */
export class ExpressionReader {
  readonly #readQuery: ReadQuery
  readonly #deeper: Deeper

  constructor(readQuery: ReadQuery, deeper: Deeper) {
    this.#readQuery = readQuery
    this.#deeper = deeper
  }

  read = (node: unknown): Expression => this.#deeper(() => this.#read(node))

  readAll = (nodes: unknown): Expression[] => nodesIn(nodes).map(this.read)

  orNull = (node: unknown): Expression | null => (isNode(node) ? this.read(node) : null)

  /** In GROUP BY and ORDER BY a number stands for a column of the result. */
  readTarget = (node: unknown): Expression => {
    const value = isNode(node) && node.class === 'CONSTANT' && isNode(node.value) ? node.value.value : null
    return Number.isInteger(value) ? { kind: 'position', number: value as number, of: 'result' } : this.read(node)
  }

  #read(node: unknown): Expression {
    if (!isNode(node)) return { kind: 'unknown', what: 'A part of the statement that can’t be read.' }
    const special = this.#special(node)
    if (special !== undefined) return special
    return this.#plain(node)
  }

  /**
   * What has a meaning of its own; undefined for what is made of its parts and nothing else. That is most of what is deep, so
   * it is gone through without recursion.
   */
  #special(node: Node): Expression | undefined {
    switch (node.class) {
      case 'COLUMN_REF':
        return columnUse(textsIn(node.column_names))
      case 'POSITIONAL_REFERENCE':
        return { kind: 'position', number: Number(node.index), of: 'from' }
      case 'SUBQUERY':
        return this.#subquery(node)
      case 'WINDOW':
        return this.#window(node)
      case 'STAR':
        return readStar(node, this.read)
      case 'FUNCTION':
        return starWithPattern(node, this.read) ?? this.#specialFunction(node)
      case 'OPERATOR':
        return node.type === 'OPERATOR_UNPACK' ? this.#unpacked(node) : starWithPattern(node, this.read)
      default:
        return undefined
    }
  }

  #plain(root: Node): Made {
    const parts: Expression[] = []
    let hasAggregate = false
    const left: Node[] = [root]
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      const special = node === root ? undefined : this.#deeperSpecial(node)
      if (special !== undefined) {
        parts.push(special)
        continue
      }
      if (node.class === 'FUNCTION' && AGGREGATES.has(functionName(node))) hasAggregate = true
      const children = partsOf(node)
      if (children === undefined)
        parts.push({ kind: 'unknown', what: `The expression ${textOf(node.class) || 'of an unknown class'}.` })
      else left.push(...children)
    }
    return { ...madeOf(parts.reverse()), isAggregate: hasAggregate }
  }

  #deeperSpecial = (node: Node) => this.#deeper(() => this.#special(node))

  #subquery(node: Node): Expression {
    const subquery = isNode(node.subquery) ? node.subquery.node : undefined
    const isExistence = node.subquery_type === 'EXISTS' || node.subquery_type === 'NOT_EXISTS'
    const query: Expression = { kind: 'subquery', query: this.#readQuery(subquery), isExistence }
    return isNode(node.child) ? madeOf([this.read(node.child), query]) : query
  }

  #unpacked(node: Node): Expression {
    const inner = this.readAll(node.children).map((one) => (one.kind === 'star' ? { ...one, isUnpacked: true } : one))
    return madeOf(inner)
  }

  #window(node: Node): Made {
    const bounds = [node.start_expr, node.end_expr, node.offset_expr, node.default_expr].filter(isNode)
    const orders = [...nodesIn(node.orders), ...nodesIn(node.arg_orders)].map(({ expression }) => expression)
    return {
      ...CONSTANT,
      of: [...this.readAll(node.children), ...bounds.map(this.read)],
      by: [
        ...this.#influences('grouped', nodesIn(node.partitions)),
        ...this.#influences('sorted', orders),
        ...this.#influences('filtered', [node.filter_expr].filter(isNode))
      ],
      isOrdered: true
    }
  }

  #influences = (kind: RowKind, nodes: readonly unknown[]) =>
    nodes.map((node) => ({ kind, expression: this.read(node) }))

  /** Functions with more than arguments, or with arguments that are no values. */
  #specialFunction(node: Node): Expression | undefined {
    const name = functionName(node)
    const orders = isNode(node.order_bys) ? nodesIn(node.order_bys.orders) : []
    const takesLambda = WITH_LAMBDAS.has(name)
    const isOrdered = ORDERED.has(name)
    const called = calledOn(node)
    if (!takesLambda && !isOrdered && orders.length === 0 && !isNode(node.filter) && called.length === 0)
      return undefined
    const children = nodesIn(node.children)
    const of = children.map((child, place) =>
      takesLambda && place > 0 && child.class === 'LAMBDA' ? this.#lambda(child) : this.read(child)
    )
    return {
      kind: 'made',
      of: called.length > 0 ? [{ kind: 'column', path: called }, ...of] : of,
      by: [
        ...this.#influences(
          'sorted',
          orders.map(({ expression }) => expression)
        ),
        ...this.#influences('filtered', [node.filter].filter(isNode))
      ],
      isAggregate: AGGREGATES.has(name),
      isOrdered
    }
  }

  #lambda({ lhs, expr }: Node): Expression {
    const list = isNode(lhs) && lhs.class === 'COLUMN_REF' ? [lhs] : isNode(lhs) ? nodesIn(lhs.children) : []
    const parameters = list.map((one) => textsIn(one.column_names).at(-1) ?? '')
    return { kind: 'lambda', parameters, body: this.read(expr) }
  }
}

const columnUse = (path: readonly string[]): Expression =>
  path.length > 0 ? { kind: 'column', path } : { kind: 'unknown', what: 'A column without a name.' }

const functionName = (node: Node): string => folded(textOf(node.function_name))

const OWN_SCHEMAS = new Set(['main', 'system', 'pg_catalog', 'temp'])

/** `x.upper()` looks like a function of a schema x. */
function calledOn({ catalog, schema, is_operator }: Node): string[] {
  const path = pathOf(catalog, schema)
  return is_operator === true || path.every((part) => OWN_SCHEMAS.has(folded(part))) ? [] : path
}

/** The parts of an expression that is made of them and nothing else; undefined for classes that are not known. */
function partsOf(node: Node): Node[] | undefined {
  switch (node.class) {
    case 'CONSTANT':
    case 'PARAMETER':
    case 'DEFAULT':
    case 'TYPE':
      return []
    case 'FUNCTION':
    case 'OPERATOR':
    case 'CONJUNCTION':
      return nodesIn(node.children)
    case 'COMPARISON':
      return [node.left, node.right].filter(isNode)
    case 'CAST':
    case 'COLLATE':
      return [node.child].filter(isNode)
    case 'BETWEEN':
      return [node.input, node.lower, node.upper].filter(isNode)
    case 'CASE':
      return [...nodesIn(node.case_checks).flatMap((one) => [one.when_expr, one.then_expr]), node.else_expr].filter(
        isNode
      )
    case 'LAMBDA':
      return [node.lhs, node.expr].filter(isNode)
    default:
      return undefined
  }
}

/** Whether an item of SELECT makes several rows of one. */
export function isUnnesting(root: unknown): boolean {
  const left = [root]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (!isNode(node)) continue
    if (node.class === 'FUNCTION' && UNNESTING.has(functionName(node))) return true
    left.push(...(partsOf(node) ?? []))
  }
  return false
}
