import type { NodeKind } from '../references.ts'
import { readNodes } from './details.ts'
import type { ClaimedEdge } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'
import type { Steps } from './walk.ts'

/** Nodes that are looked at where some are not to be shown: all of them have to be known before any is. */
const MAX_NODES = 20_000
/** Edges that lead past nodes which are not shown. */
const MAX_EDGES = 100_000

/** The same walk with some kinds of nodes only: an edge leads past those that are not shown. */
export async function* shownSteps(reader: GraphReader, steps: Steps, kinds: ReadonlySet<NodeKind>): Steps {
  const { nodes, edges } = await lookAt(steps)
  const rows = await readNodes(
    reader,
    nodes.map(({ node }) => node)
  )
  const isShown = (key: string) => kinds.has(rows.get(key)?.kind as NodeKind)
  // The root is always shown: the question is about it.
  const shown = nodes.filter(({ node, distance }) => distance === 0 || isShown(node))
  const names = new Set(shown.map(({ node }) => node))
  yield shown
  let left = MAX_EDGES
  for (const { node } of shown) {
    const some = past(node, edges, names).take(left).toArray()
    left -= some.length
    yield some.map((edge) => ({ edge }))
  }
}

/** The nodes of a walk, and its edges by the nodes that they lead from; no more than may be looked at. */
async function lookAt(steps: Steps) {
  const nodes: { node: string; distance: number }[] = []
  const edges = new Map<string, ClaimedEdge[]>()
  for await (const some of steps) {
    for (const step of some) {
      if (step.node === undefined) edges.getOrInsertComputed(step.edge.from, () => []).push(step.edge)
      else if (nodes.push(step) >= MAX_NODES) return { nodes, edges }
    }
  }
  return { nodes, edges }
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
