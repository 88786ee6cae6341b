import { jobsOn, readNodes, toEdges, toNode } from '../graph/details.ts'
import type { ClaimedEdge } from '../graph/edge-reader.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { Steps } from '../graph/walk.ts'
import type { NodeRow } from '../migrations.ts'
import type { Edge, Node } from '../schema.ts'

const STEPS_AT_ONCE = 1000

/** A piece of a graph: nodes that were not in an earlier one, and edges with the nodes at their ends. */
export interface Part {
  readonly nodes: readonly { readonly key: string; readonly node: Node }[]
  readonly edges: readonly { readonly from: NodeRow; readonly to: NodeRow; readonly edge: Edge }[]
}

/** A walk in pieces that can be written one after the other, as of a time. */
export async function* partsOf(reader: GraphReader, steps: Steps, atMs: number): AsyncGenerator<Part> {
  let nodes: string[] = []
  let edges: ClaimedEdge[] = []
  for await (const some of steps) {
    for (const step of some) {
      if (step.node === undefined) edges.push(step.edge)
      else nodes.push(step.node)
      if (nodes.length + edges.length < STEPS_AT_ONCE) continue
      yield await partOf(reader, nodes, edges, atMs)
      nodes = []
      edges = []
    }
  }
  yield await partOf(reader, nodes, edges, atMs)
}

async function partOf(
  reader: GraphReader,
  keys: readonly string[],
  edges: readonly ClaimedEdge[],
  atMs: number
): Promise<Part> {
  const rows = await readNodes(reader, [...new Set([...keys, ...edges.flatMap(({ from, to }) => [from, to])])])
  const shown = toEdges(edges, rows, await jobsOn(reader, edges))
  return {
    nodes: keys.flatMap((key) => {
      const row = rows.get(key)
      return row === undefined ? [] : [{ key, node: toNode(row, atMs, 0) }]
    }),
    edges: edges.flatMap((claimed, index) => {
      const [from, to, edge] = [rows.get(claimed.from), rows.get(claimed.to), shown[index]]
      return from === undefined || to === undefined || edge === undefined ? [] : [{ from, to, edge }]
    })
  }
}

/** Everybody who says so, in one line. */
export const sayersOf = ({ provenance }: Edge): string =>
  provenance.map(({ how, who }) => `${how} by ${who}`).join('; ')
