import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { columnsOnEdges } from '../columns/on-edges.ts'
import { columnPath } from '../columns/path.ts'
import type { NodeKind } from '../references.ts'
import type { Graph, GraphQuery, Path, PathQuery, WalkQuery } from '../schema.ts'
import { type Directions, stepsAround } from './around.ts'
import { keyOf, timeOf, unknownNode } from './asked.ts'
import { readNodes, toEdges, toNode } from './details.ts'
import { readPlace, takePage, type WalkPage, writePlace } from './pages.ts'
import { findPath } from './path.ts'
import { shownSteps } from './shown.ts'

const DEFAULT_DEPTH = 10
const DEFAULT_LIMIT = 1000
/** Nodes that the search for a way looks at, and how long it takes. */
const MAX_PATH_NODES = 200_000
const MAX_PATH_MS = 3000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

/** What leads to what. */
export class Questions {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  graph(query: GraphQuery): Promise<Graph> {
    return this.#answer(query.root ?? null, query.direction ?? 'both', query, '/query/root')
  }

  around(id: string, direction: Directions, query: WalkQuery): Promise<Graph> {
    return this.#answer(id, direction, query, '/params/id')
  }

  async path({ from, to, asOf, fromColumn, toColumn }: PathQuery): Promise<Path> {
    const { metadata, clock } = this.#needs
    const startMs = clock.now()
    const atMs = timeOf(asOf, startMs)
    const ends = { from: keyOf(from, '/query/from'), to: keyOf(to, '/query/to'), atMs }
    const known = await readNodes(metadata, [ends.from, ends.to])
    if (known.size < new Set([ends.from, ends.to]).size) throw unknownNode()
    const hasBudget = (nodes: number) => nodes < MAX_PATH_NODES && clock.now() < startMs + MAX_PATH_MS
    if (fromColumn !== undefined || toColumn !== undefined) {
      const places = {
        from: { node: ends.from, column: fromColumn ?? '' },
        to: { node: ends.to, column: toColumn ?? '' },
        atMs
      }
      return { from, to, ...(await columnPath(metadata, places, hasBudget)) }
    }
    const { edges, isGivenUp } = await findPath(metadata, ends, hasBudget)
    const keys = [ends.from, ...(edges ?? []).map((edge) => edge.to)]
    const nodes = await readNodes(metadata, [...keys, ends.to])
    return {
      from,
      to,
      asOf: toIso(atMs),
      found: edges !== null,
      nodes: edges === null ? [] : keys.flatMap((key) => nodes.get(key) ?? []).map((row) => toNode(row)),
      edges: await toEdges(metadata, edges ?? [], nodes),
      columns: [],
      truncated: isGivenUp
    }
  }

  async #answer(root: string | null, direction: Directions, query: WalkQuery, pointer: string): Promise<Graph> {
    const { metadata, clock } = this.#needs
    const { depth = DEFAULT_DEPTH, limit = DEFAULT_LIMIT, types = '', columns = false, cursor } = query
    const question = JSON.stringify([root, direction, depth, types])
    const place = cursor === undefined ? undefined : readPlace(question, cursor)
    const atMs = place?.asOfMs ?? timeOf(query.asOf, clock.now())
    const key = root === null ? null : keyOf(root, pointer)
    const asked = { depth, atMs, direction, root: key }
    const kinds = types === '' ? undefined : new Set(types.split(',') as NodeKind[])
    const around = stepsAround(metadata, asked)
    const steps = kinds === undefined ? around : shownSteps(metadata, around, kinds)
    const page = await takePage(steps, { skip: place?.steps ?? 0, limit }, clock)
    if (key !== null && page.position <= 1) await this.#requireKnown(key)
    return { root, ...(await this.#show(page, atMs, question, columns)) }
  }

  async #requireKnown(key: string): Promise<void> {
    if ((await readNodes(this.#needs.metadata, [key])).size === 0) throw unknownNode()
  }

  async #show(page: WalkPage, asOfMs: number, question: string, columns: boolean): Promise<Omit<Graph, 'root'>> {
    const { metadata } = this.#needs
    const rows = await readNodes(metadata, keysOf(page))
    const edges = await toEdges(metadata, page.edges, rows)
    const mapped = columns ? await columnsOnEdges(metadata, page.edges, asOfMs) : []
    const { truncatedBy, position } = page
    return {
      asOf: toIso(asOfMs),
      nodes: page.nodes.flatMap(({ node, distance }) => {
        const row = rows.get(node)
        return row === undefined ? [] : [{ ...toNode(row), distance }]
      }),
      edges: edges.map((edge, index) => ({ ...edge, ...mapped[index] })),
      truncated: truncatedBy !== null,
      truncatedBy,
      nextCursor: truncatedBy === null ? null : writePlace(question, { asOfMs, steps: position })
    }
  }
}

const keysOf = ({ nodes, edges }: WalkPage): string[] => [
  ...new Set([...nodes.map(({ node }) => node), ...edges.flatMap(({ from, to }) => [from, to])])
]
