import { folded } from '../names.ts'
import type { JoinSource, Named, Query, Source, UnpivotSource } from '../query.ts'
import type { ExpressionReader } from './expressions.ts'
import { MAKES_ROWS } from './functions.ts'
import { isNode, type Node, nameIn, nodesIn, pathOf, textOf, textsIn } from './node.ts'
import { entryParts, pivotColumns } from './pivot-columns.ts'

/** Reads what stands in FROM. */
export class SourceReader {
  readonly #expressions: ExpressionReader
  readonly #readQuery: (node: unknown) => Query
  readonly #deeper: <T>(work: () => T) => T

  constructor(expressions: ExpressionReader, readQuery: (node: unknown) => Query, deeper: <T>(work: () => T) => T) {
    this.#expressions = expressions
    this.#readQuery = readQuery
    this.#deeper = deeper
  }

  read = (node: unknown): Source => this.#deeper(() => this.#read(isNode(node) ? node : {}))

  #read(node: Node): Source {
    const names: Named = { alias: nameIn(node.alias), columns: textsIn(node.column_name_alias) }
    switch (node.type) {
      case 'BASE_TABLE': {
        const path = pathOf(node.catalog_name, node.schema_name, node.table_name)
        if (path.length === 0) return { kind: 'unknown', what: 'A table without a name.', of: [], ...names }
        return { kind: 'table', path, isTarget: false, ...names }
      }
      case 'SUBQUERY': {
        const query = this.#readQuery(isNode(node.subquery) ? node.subquery.node : undefined)
        return { kind: 'query', query, isLateral: true, ...names }
      }
      case 'JOIN':
        return this.#joins(node)
      case 'EXPRESSION_LIST': {
        const rows = (Array.isArray(node.values) ? node.values : []).map((row) => this.#expressions.readAll(row))
        return { kind: 'values', rows, ...names, columns: namesOf(node, names) }
      }
      case 'TABLE_FUNCTION':
        return this.#function(node, names)
      case 'PIVOT':
        return textsIn(node.unpivot_names).length > 0 ? this.#unpivot(node, names) : this.#pivot(node, names)
      case 'EMPTY':
        return { kind: 'values', rows: [[]], ...names }
      case 'SHOW_REF': {
        const of = isNode(node.query) ? [this.#readQuery(node.query)] : []
        return { kind: 'unknown', what: 'What DESCRIBE, SHOW or SUMMARIZE says.', of, ...names }
      }
      default:
        return {
          kind: 'unknown',
          what: `${textOf(node.type) || 'Something without a type'} after FROM.`,
          of: [],
          ...names
        }
    }
  }

  /** Joins lean to the left, so that a long chain of them is no deep one. */
  #joins(last: Node): Source {
    const chain: Node[] = []
    let node: unknown = last
    for (; isNode(node) && node.type === 'JOIN'; node = node.left) chain.push(node)
    let left = this.read(node)
    for (const join of chain.reverse()) left = this.#join(join, left)
    return left
  }

  #join(node: Node, left: Source): JoinSource {
    const type = textOf(node.join_type)
    const side = SIDES.get(type)
    const right: Source =
      side === undefined
        ? { kind: 'unknown', what: `A join of the kind ${type}.`, of: [], alias: null, columns: [] }
        : this.read(node.right)
    return {
      kind: 'join',
      side: side ?? 'inner',
      left,
      right,
      on: this.#expressions.orNull(node.condition),
      using: node.ref_type === 'NATURAL' ? 'all that both have' : textsIn(node.using_columns)
    }
  }

  #function(node: Node, names: Named): Source {
    const call = isNode(node.function) ? node.function : {}
    const name = folded(textOf(call.function_name))
    const outputs = MAKES_ROWS.get(name)
    if (outputs === undefined) {
      return { kind: 'unknown', what: `What the function ${name} after FROM reads.`, of: [], ...names }
    }
    const of = this.#expressions.readAll(call.children)
    const all = node.with_ordinality === 'WITH_ORDINALITY' ? [...outputs, 'ordinality'] : outputs
    return { kind: 'function', name, of, outputs: all, alias: names.alias ?? name, columns: names.columns }
  }

  #pivot(node: Node, names: Named): Source {
    const pivots = nodesIn(node.pivots)
    const groups = textsIn(node.groups)
    const aggregates = nodesIn(node.aggregates)
    const made = pivotColumns(pivots, aggregates)
    if (made === undefined) return { kind: 'unknown', what: 'PIVOT without a list of its values.', of: [], ...names }
    return {
      kind: 'pivot',
      source: this.read(node.source),
      aggregates: aggregates.map(this.#expressions.read),
      on: pivots.flatMap((pivot) => this.#expressions.readAll(pivot.pivot_expressions)),
      groups: groups.length === 0 ? null : groups,
      made,
      ...names
    }
  }

  #entry = (entry: Node): UnpivotSource['entries'][number] => {
    const parts = entryParts(entry).map(this.#expressions.read)
    return parts[0]?.kind === 'star' ? parts[0] : parts
  }

  #unpivot(node: Node, names: Named): Source {
    const entries = nodesIn(node.pivots).flatMap((pivot) => nodesIn(pivot.entries).map(this.#entry))
    return {
      kind: 'unpivot',
      source: this.read(node.source),
      nameColumns: nodesIn(node.pivots).flatMap((pivot) => textsIn(pivot.unpivot_names)),
      valueColumns: textsIn(node.unpivot_names),
      entries,
      keepsNulls: node.include_nulls === true,
      ...names
    }
  }
}

const SIDES: ReadonlyMap<string, JoinSource['side']> = new Map([
  ['INNER', 'inner'],
  ['LEFT', 'left'],
  ['RIGHT', 'right'],
  ['OUTER', 'full'],
  ['FULL', 'full'],
  ['SEMI', 'left only'],
  ['ANTI', 'left only']
])

/** VALUES may have names for its columns in either place. */
const namesOf = (node: Node, { columns }: Named): readonly string[] =>
  columns.length > 0 ? columns : textsIn(node.expected_names)
