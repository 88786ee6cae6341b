import { ORDERED, UNNESTING } from '../duckdb/functions.ts'
import { isNode, type Node } from '../duckdb/node.ts'
import { folded } from '../names.ts'
import { CONSTANT, type Expression, type Made, madeOf, type Query, type RowKind } from '../query.ts'
import { identifier, kindOf, listOf, nodeOf, ofKind, pathIn } from './tree.ts'

/** Kinds of expressions that are made of their parts and nothing else. */
const PLAIN = new Set(
  `AllOp AnyOp Array AtTimeZone Between BinaryOp Case Cast Ceil Collate CompositeAccess Convert Cube Expr Extract Floor
  GroupingSets ILike InList InUnnest Interval IsDistinctFrom IsFalse IsNotDistinctFrom IsNotFalse IsNotNull IsNotTrue
  IsNotUnknown IsNull IsTrue IsUnknown Like MemberOf Named Nested OuterJoin Overlay Position Prefixed RLike Rollup SimilarTo
  Substring Subscript Index Slice Trim Tuple TypedString UnaryOp Unnamed Value`.split(/\s+/)
)
/** Fields of expressions that hold no expressions. */
const NO_PARTS = new Set(
  'collation data_type op field syntax kind format trim_where compare_op escape_char span charset unit leading_field last_field'.split(
    ' '
  )
)

/** The rows that an INSERT could not write, because they are there. */
export const EXCLUDED = 'excluded'

interface Needs {
  readonly readQuery: (node: unknown) => Query
  readonly deeper: <T>(work: () => T) => T
}

/** The windows that a SELECT names. */
export type Windows = ReadonlyMap<string, unknown>

/** Reads expressions of the trees of the parser for other dialects. */
export class DialectExpressions {
  readonly #needs: Needs
  readonly #windows: Windows

  constructor(needs: Needs, windows: Windows = new Map()) {
    this.#needs = needs
    this.#windows = windows
  }

  with = (windows: Windows) => new DialectExpressions(this.#needs, windows)

  read = (item: unknown): Expression => this.#needs.deeper(() => this.#special(item) ?? this.#plain(item))

  orNull = (item: unknown): Expression | null => (item === null || item === undefined ? null : this.read(item))

  /** In GROUP BY and ORDER BY a number stands for a column of the result. */
  readTarget = (item: unknown): Expression => {
    const [text] = listOf(ofKind(nodeOf(ofKind(item, 'Value')).value, 'Number'))
    const number = Number(text)
    return text !== undefined && Number.isInteger(number) ? { kind: 'position', number, of: 'result' } : this.read(item)
  }

  /** Without recursion where an expression is made of its parts alone: most of what is deep is that. */
  #plain(root: unknown): Made {
    const parts: Expression[] = []
    const left: unknown[] = [root]
    while (left.length > 0) {
      const item = left.pop()
      if (typeof item !== 'object' || item === null) continue
      const special = item === root ? undefined : this.#needs.deeper(() => this.#special(item))
      if (special !== undefined) parts.push(special)
      else if (Array.isArray(item)) left.push(...item)
      else
        for (const [name, value] of Object.entries(item))
          if (!NO_PARTS.has(name) && !name.endsWith('_token')) left.push(value)
    }
    return madeOf(parts.reverse())
  }

  #special(item: unknown): Expression | undefined {
    const found = kindOf(item)
    if (found === undefined || !isNode(item) || !/^[A-Z]/.test(found.kind) || PLAIN.has(found.kind)) return undefined
    const { kind, value } = found
    switch (kind) {
      case 'Identifier':
        return { kind: 'column', path: [identifier(value)] }
      case 'CompoundIdentifier':
        return { kind: 'column', path: pathIn(value) }
      case 'CompoundFieldAccess': {
        const { root, access_chain } = nodeOf(value)
        const subscripts = listOf(access_chain).filter((one) => ofKind(one, 'Subscript') !== undefined)
        return madeOf([this.read(root), ...subscripts.map(this.read)])
      }
      case 'Subquery':
        return { kind: 'subquery', query: this.#needs.readQuery(value), isExistence: false }
      case 'Exists':
        return { kind: 'subquery', query: this.#needs.readQuery(nodeOf(value).subquery), isExistence: true }
      case 'InSubquery': {
        const { expr, subquery } = nodeOf(value)
        return madeOf([
          this.read(expr),
          { kind: 'subquery', query: this.#needs.readQuery(subquery), isExistence: false }
        ])
      }
      case 'Function':
        return this.#function(nodeOf(value))
      case 'Number':
      case 'Boolean':
      case 'Placeholder':
        return CONSTANT
      default:
        return kind.endsWith('String') ? CONSTANT : { kind: 'unknown', what: `The expression ${kind}.` }
    }
  }

  #function(node: Node): Expression {
    const name = folded(pathIn(node.name).at(-1) ?? '')
    const list = ofKind(node.args, 'List')
    const inserted = name === 'values' ? insertedIn(list) : undefined
    if (inserted !== undefined) return { kind: 'column', path: [EXCLUDED, inserted] }
    const subquery = ofKind(node.args, 'Subquery')
    const clauses = listOf(nodeOf(list).clauses)
    const orders = [...clauses.flatMap((one) => listOf(ofKind(one, 'OrderBy'))), ...listOf(node.within_group)]
    const rest = clauses.filter((one) => ofKind(one, 'OrderBy') === undefined && ofKind(one, 'Separator') === undefined)
    const over = this.#window(node.over)
    if (rest.length > 0 || over === undefined) return { kind: 'unknown', what: `A part of the call of ${name}.` }
    return {
      kind: 'made',
      of: [
        ...listOf(nodeOf(list).args).map(this.read),
        ...(subquery === undefined ? [] : [this.read({ Subquery: subquery })]),
        ...over.of
      ],
      by: [
        ...this.#by('sorted', orders.map(inOrder)),
        ...this.#by('filtered', [node.filter].filter(isNode)),
        ...over.by
      ],
      isAggregate: false,
      isOrdered: ORDERED.has(name) || isNode(node.over)
    }
  }

  #by = (kind: RowKind, items: readonly unknown[]) => items.map((item) => ({ kind, expression: this.read(item) }))

  /** What a window is made of; undefined where it can't be read. */
  #window(over: unknown): Pick<Made, 'of' | 'by'> | undefined {
    if (over === null || over === undefined) return { of: [], by: [] }
    const name = ofKind(over, 'NamedWindow')
    const spec = name === undefined ? over : this.#windows.get(folded(identifier(name)))
    const window = ofKind(spec, 'WindowSpec')
    if (!isNode(window) || isNode(window.window_name)) return undefined
    const { start_bound, end_bound } = nodeOf(window.window_frame)
    const bounds = [start_bound, end_bound].flatMap((bound) => [ofKind(bound, 'Preceding'), ofKind(bound, 'Following')])
    return {
      of: bounds.filter(isNode).map(this.read),
      by: [
        ...this.#by('grouped', listOf(window.partition_by)),
        ...this.#by('sorted', listOf(window.order_by).map(inOrder))
      ]
    }
  }
}

/** MySQL's `VALUES(column)`: what an INSERT would have written if the row were not there. */
function insertedIn(list: unknown): string | undefined {
  const [argument] = listOf(nodeOf(list).args)
  const column = ofKind(nodeOf(ofKind(argument, 'Unnamed')).Expr, 'Identifier')
  return column === undefined ? undefined : identifier(column)
}

const inOrder = (item: unknown): unknown => nodeOf(item).expr

/** Whether an item of SELECT makes several rows of one. */
export function isUnnesting(item: unknown): boolean {
  const called = ofKind(item, 'Function')
  const name = folded(pathIn(nodeOf(called).name).at(-1) ?? '')
  return UNNESTING.has(name) || name === 'generate_series'
}
