import type { NodeKind } from '../references.ts'
import { readNodes } from './details.ts'
import type { ClaimedEdge } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'
import type { Step, Steps } from './walk.ts'

/** Nodes that are looked at where some are not to be shown: all of them have to be known before any is. */
const MAX_NODES = 100_000
/** Edges that lead past nodes which are not shown. */
const MAX_EDGES = 100_000

/** The walk was not followed to its end. */
export interface Cut {
  readonly cutBy: 'nodes' | 'edges'
}

/** The same walk with some kinds of nodes only: an edge leads past those that are not shown. */
export async function* shownSteps(
  reader: GraphReader,
  steps: Steps,
  kinds: ReadonlySet<NodeKind>,
  { maxNodes, maxEdges } = { maxNodes: MAX_NODES, maxEdges: MAX_EDGES }
): AsyncGenerator<readonly (Step | Cut)[]> {
  const { nodes, edges, isWhole } = await lookAt(steps, maxNodes)
  const rows = await readNodes(
    reader,
    nodes.map(({ node }) => node)
  )
  const isShown = (key: string) => kinds.has(rows.get(key)?.kind as NodeKind)
  // The root is always shown: the question is about it.
  const shown = nodes.filter(({ node, distance }) => distance === 0 || isShown(node))
  const names = new Set(shown.map(({ node }) => node))
  yield shown
  let left = maxEdges
  for (const { node } of shown) {
    // One more than there may be tells whether there are more.
    const some = past(node, edges, names)
      .take(left + 1)
      .toArray()
    yield some.slice(0, left).map((edge) => ({ edge }))
    if (some.length > left) return yield [{ cutBy: 'edges' }]
    left -= some.length
  }
  if (!isWhole) yield [{ cutBy: 'nodes' }]
}

/** The nodes of a walk, and its edges by the nodes that they lead from; no more than may be looked at. */
async function lookAt(steps: Steps, maxNodes: number) {
  const nodes: { node: string; distance: number }[] = []
  const edges = new Map<string, ClaimedEdge[]>()
  for await (const some of steps) {
    for (const step of some) {
      if (step.node === undefined) edges.getOrInsertComputed(step.edge.from, () => []).push(step.edge)
      else if (nodes.length < maxNodes) nodes.push(step)
      else return { nodes, edges, isWhole: false }
    }
  }
  return { nodes, edges, isWhole: true }
}

/** The edges from a node to the next that are shown. */
function* past(
  node: string,
  edges: ReadonlyMap<string, readonly ClaimedEdge[]>,
  shown: ReadonlySet<string>
): Generator<ClaimedEdge> {
  const met = new Set<string>()
  const left = [...(edges.get(node) ?? [])]
  for (let edge = left.pop(); edge !== undefined; edge = left.pop()) {
    if (met.has(edge.to)) continue
    met.add(edge.to)
    if (shown.has(edge.to)) yield { from: node, to: edge.to, claims: edge.claims }
    else left.push(...(edges.get(edge.to) ?? []))
  }
}
