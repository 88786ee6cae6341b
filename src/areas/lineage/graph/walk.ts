import { edgesAhead } from './ahead.ts'
import { Arrivals } from './arrivals.ts'
import { type ClaimedEdge, type Direction, isOverlap } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'

/** What a walk comes across: a node that is new to it, or an edge between nodes that it has seen. */
export type Step =
  | { readonly node: string; readonly distance: number }
  | { readonly edge: ClaimedEdge; readonly node?: undefined }

export interface Walk {
  readonly root: string
  readonly direction: Direction
  /** Edges from the root, at most. */
  readonly depth: number
  /** The time that is asked about. */
  readonly atMs: number
}

/** What a walk comes across, in pieces as they are read: to wait for each step would take longer than to make it. */
export type Steps = AsyncGenerator<readonly Step[]>

/**
 * Goes through the graph from a node, the nearest first and always in the same order. Circles are fine: each node is met
 * once. Whoever walks stops when there is enough.
 */
export async function* walk(reader: GraphReader, { root, direction, depth, atMs }: Walk): Steps {
  const arrivals = new Arrivals()
  arrivals.meet(root, false)
  yield [{ node: root, distance: 0 }]
  const edgesFrom = edgesAhead(reader, direction, atMs)
  let border = new Map([[root, 'new']])
  for (let distance = 1; distance <= depth && border.size > 0; distance++) {
    const next = new Map<string, 'new' | 'again'>()
    const nodes = [...border.keys()].sort()
    const withParts = new Set(nodes.filter((node) => arrivals.leave(node)))
    for await (const edges of edgesFrom(nodes, depth - distance + 1)) {
      const steps: Step[] = []
      for (const edge of edges) {
        const [near, far] = direction === 'downstream' ? [edge.from, edge.to] : [edge.to, edge.from]
        const isPart = isOverlap(edge)
        if (isPart ? !withParts.has(near) : border.get(near) === 'again') continue
        const met = arrivals.meet(far, isPart)
        if (met !== 'known') next.set(far, met)
        if (met === 'new') steps.push({ node: far, distance })
        steps.push({ edge })
      }
      yield steps
    }
    border = next
  }
}
