import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { requireColumn } from '../columns/known-column.ts'
import { columnsOnEdges } from '../columns/on-edges.ts'
import { columnPath } from '../columns/path.ts'
import { jobsWithRuns } from '../nodes/listing.ts'
import { toLastRun } from '../nodes/service.ts'
import type { NodeKind } from '../references.ts'
import type { Graph, GraphQuery, Path, PathQuery, WalkQuery } from '../schema.ts'
import { begin } from './ahead.ts'
import { type Directions, stepsAround } from './around.ts'
import { graphWith, keyOf, timeOf } from './asked.ts'
import { jobsOn, readNodes, toEdges, toNode } from './details.ts'
import { readPlace, takePage, type WalkPage, writePlace } from './pages.ts'
import { findPath } from './path.ts'
import type { GraphReader } from './reader.ts'
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
    const isOfColumns = fromColumn !== undefined || toColumn !== undefined
    const starts = isOfColumns ? {} : { downstream: ends.from, upstream: ends.to }
    const begun = begin(metadata, starts, { depth: Number.POSITIVE_INFINITY, atMs })
    const reader = await graphWith(metadata, [from, to], begun)
    const hasBudget = (nodes: number) => nodes < MAX_PATH_NODES && clock.now() < startMs + MAX_PATH_MS
    if (fromColumn !== undefined) await requireColumn(reader, from, fromColumn)
    if (toColumn !== undefined) await requireColumn(reader, to, toColumn)
    if (isOfColumns) {
      const places = {
        from: { node: ends.from, column: fromColumn ?? '' },
        to: { node: ends.to, column: toColumn ?? '' },
        atMs
      }
      return { from, to, ...(await columnPath(reader, places, hasBudget)) }
    }
    const { edges, isGivenUp } = await findPath(reader, ends, hasBudget)
    const keys = [ends.from, ...(edges ?? []).map((edge) => edge.to)]
    const [nodes, jobs] = await Promise.all([readNodes(reader, [...keys, ends.to]), jobsOn(reader, edges ?? [])])
    return {
      from,
      to,
      asOf: toIso(atMs),
      found: edges !== null,
      nodes: edges === null ? [] : keys.flatMap((key) => nodes.get(key) ?? []).map((row) => toNode(row, atMs)),
      edges: toEdges(edges ?? [], nodes, jobs),
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
    const asked = { depth, atMs, direction, root: root === null ? null : keyOf(root, pointer) }
    const reader = root === null ? metadata : await graphWith(metadata, [root], begunFor(metadata, asked))
    const kinds = types === '' ? undefined : new Set(types.split(',') as NodeKind[])
    const around = stepsAround(reader, asked)
    const steps = kinds === undefined ? around : shownSteps(reader, around, kinds)
    const page = await takePage(steps, { skip: place?.steps ?? 0, limit }, clock)
    const mapped = columns ? await columnsOnEdges(reader, page.edges, atMs) : []
    const shown = await showPage(reader, page, atMs)
    const { truncatedBy, goesOn, position } = page
    return {
      root,
      asOf: toIso(atMs),
      nodes: shown.nodes,
      edges: shown.edges.map((edge, index) => ({ ...edge, ...mapped[index] })),
      truncated: truncatedBy !== null,
      truncatedBy,
      nextCursor: goesOn ? writePlace(question, { asOfMs: atMs, steps: position }) : null
    }
  }
}

async function showPage(reader: GraphReader, page: WalkPage, atMs: number): Promise<Pick<Graph, 'nodes' | 'edges'>> {
  // A server looks for both at the same time.
  const [rows, { jobs, runs }] = await Promise.all([
    readNodes(reader, keysOf(page)),
    jobsWithRuns(reader, jobsOf(page))
  ])
  const nodes = page.nodes.flatMap(({ node, distance }) => {
    const row = rows.get(node)
    return row === undefined ? [] : [{ ...toNode(row, atMs), distance, lastRun: toLastRun(runs.get(node)) }]
  })
  return { nodes, edges: toEdges(page.edges, rows, jobs) }
}

/** What may be jobs among the nodes, because no job reads or writes them; and all who know the edges. */
function jobsOf({ nodes, edges }: WalkPage): string[] {
  const [data, jobs] = [new Set<string>(), new Set<string>()]
  for (const { from, to, claims } of edges) {
    for (const { type, job } of claims) {
      if (type === 'reads') data.add(from)
      if (type === 'writes') data.add(to)
      if (job !== '') jobs.add(job)
    }
  }
  for (const { node } of nodes) if (!data.has(node)) jobs.add(node)
  return [...jobs]
}

/** What a walk in one direction needs first. */
function begunFor(reader: GraphReader, { root, direction, depth, atMs }: Asked): GraphReader['begun'] {
  return root === null || direction === 'both' ? undefined : begin(reader, { [direction]: root }, { depth, atMs })
}

interface Asked {
  readonly root: string | null
  readonly direction: Directions
  readonly depth: number
  readonly atMs: number
}

const keysOf = ({ nodes, edges }: WalkPage): string[] => [
  ...new Set([...nodes.map(({ node }) => node), ...edges.flatMap(({ from, to }) => [from, to])])
]
