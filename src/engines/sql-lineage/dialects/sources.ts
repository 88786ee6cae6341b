import { isNode, type Node } from '../duckdb/node.ts'
import { folded } from '../names.ts'
import type { JoinSource, Named, Query, Source } from '../query.ts'
import type { DialectExpressions } from './expressions.ts'
import { identifier, kindOf, listOf, nodeOf, pathIn } from './tree.ts'

const MAKES_ROWS = new Set(['generate_series', 'unnest'])
const SIDES: ReadonlyMap<string, JoinSource['side']> = new Map([
  ['Join', 'inner'],
  ['Inner', 'inner'],
  ['StraightJoin', 'inner'],
  ['CrossJoin', 'inner'],
  ['Left', 'left'],
  ['LeftOuter', 'left'],
  ['Right', 'right'],
  ['RightOuter', 'right'],
  ['FullOuter', 'full']
])

interface Needs {
  readonly expressions: DialectExpressions
  readonly readQuery: (node: unknown) => Query
  readonly deeper: <T>(work: () => T) => T
}

/** What stands in FROM: several tables, each with its joins. Null: nothing does. */
export function readFrom(tables: readonly unknown[], needs: Needs): Source | null {
  let all: Source | null = null
  for (const table of tables) {
    const one = readJoins(nodeOf(table), needs)
    all = all === null ? one : together(all, one)
  }
  return all
}

const together = (left: Source, right: Source): JoinSource => ({
  kind: 'join',
  side: 'inner',
  left,
  right,
  on: null,
  using: []
})

function readJoins({ relation, joins }: Node, needs: Needs): Source {
  let left = readRelation(relation, needs)
  for (const join of listOf(joins)) left = readJoin(nodeOf(join), left, needs)
  return left
}

function readJoin(node: Node, left: Source, needs: Needs): JoinSource {
  const operator = kindOf(node.join_operator)
  const side = SIDES.get(operator?.kind ?? '')
  const how = kindOf(operator?.value)
  const isKnown = side !== undefined && ['On', 'Using', 'Natural', 'None', undefined].includes(how?.kind)
  return {
    kind: 'join',
    side: side ?? 'inner',
    left,
    right: isKnown ? readRelation(node.relation, needs) : unknownSource(`A join of the kind ${operator?.kind}.`),
    on: how?.kind === 'On' ? needs.expressions.read(how.value) : null,
    using:
      how?.kind === 'Natural'
        ? 'all that both have'
        : listOf(how?.kind === 'Using' ? how.value : []).map((path) => pathIn(path).at(-1) ?? '')
  }
}

const unknownSource = (what: string): Source => ({ kind: 'unknown', what, of: [], alias: null, columns: [] })

export function readRelation(item: unknown, needs: Needs): Source {
  return needs.deeper(() => {
    const found = kindOf(item)
    const node = nodeOf(found?.value)
    const names = namesOf(node.alias)
    if (found?.kind === 'Table') return readTable(node, names, needs)
    if (found?.kind === 'Derived') {
      return { kind: 'query', query: needs.readQuery(node.subquery), isLateral: node.lateral === true, ...names }
    }
    if (found?.kind === 'NestedJoin' && names.alias === null) return readJoins(nodeOf(node.table_with_joins), needs)
    if (found?.kind === 'UNNEST') {
      const of = listOf(node.array_exprs).map(needs.expressions.read)
      const outputs = of.length === 1 && node.with_ordinality !== true ? [names.alias ?? 'unnest'] : null
      return { kind: 'function', name: 'unnest', of, outputs, alias: names.alias ?? 'unnest', columns: names.columns }
    }
    return unknownSource(`${found?.kind ?? 'Something'} after FROM.`)
  })
}

function readTable(node: Node, names: Named, needs: Needs): Source {
  const path = pathIn(node.name)
  const name = path.at(-1)
  // The parser takes ONLY for a table, and what follows for its alias.
  const isOnly = folded(name ?? '') === 'only' && names.alias !== null
  if (name === undefined || isOnly) return unknownSource('A table whose name can’t be read.')
  if (!isNode(node.args)) return { kind: 'table', path, isTarget: false, ...names }
  if (!MAKES_ROWS.has(folded(name))) return unknownSource(`What the function ${name} after FROM reads.`)
  const of = listOf(node.args.args).map(needs.expressions.read)
  const outputs = node.with_ordinality === true ? null : [names.alias ?? name]
  return { kind: 'function', name, of, outputs, alias: names.alias ?? name, columns: names.columns }
}

export function namesOf(alias: unknown): Named {
  if (!isNode(alias)) return { alias: null, columns: [] }
  return {
    alias: identifier(alias.name),
    columns: listOf(alias.columns).map((column) => identifier(nodeOf(column).name))
  }
}
