import { MAX_EDGES, MAX_NODES } from '../limits.ts'
import type { LineageEdge, LineageNode } from '../picture.ts'

const SWEEPS = 4

export interface Graph {
  readonly nodes: readonly LineageNode[]
  readonly edges: readonly LineageEdge[]
}

/** What of a graph can be drawn: each node once, and edges between two nodes that there are. */
export function drawableGraph(nodes: readonly LineageNode[], edges: readonly LineageEdge[]): Graph {
  const byId = new Map<string, LineageNode>()
  for (const node of nodes) if (byId.size < MAX_NODES && !byId.has(node.id)) byId.set(node.id, node)
  const usable = edges.filter(({ from, to }) => from !== to && byId.has(from) && byId.has(to))
  return { nodes: [...byId.values()], edges: usable.slice(0, MAX_EDGES) }
}

/** The nodes in layers from left to right: each to the right of all that lead to it, but for edges that close a circle. */
export function layersOf({ nodes, edges }: Graph): LineageNode[][] {
  const targets = Map.groupBy(edges, ({ from }) => from)
  const forward = withoutCircles(nodes, targets)
  const depths = new Map<string, number>(nodes.map(({ id }) => [id, 0]))
  for (const id of forward.order) {
    for (const { to } of targets.get(id) ?? []) {
      if (forward.isBack(id, to)) continue
      depths.set(to, Math.max(depths.get(to) as number, (depths.get(id) as number) + 1))
    }
  }
  const layers: LineageNode[][] = []
  for (const node of nodes) {
    const depth = depths.get(node.id) as number
    while (layers.length <= depth) layers.push([])
    layers[depth]?.push(node)
  }
  return ordered(layers, edges)
}

/** An order in which each node stands before those that it leads to, and the edges that can't keep it. */
function withoutCircles(nodes: readonly LineageNode[], targets: ReadonlyMap<string, readonly LineageEdge[]>) {
  const state = new Map<string, 'open' | 'done'>()
  const back = new Set<string>()
  const keyOf = (from: string, to: string) => JSON.stringify([from, to])
  const ended: string[] = []
  for (const { id: root } of nodes) {
    if (state.has(root)) continue
    const path = [{ id: root, next: 0 }]
    state.set(root, 'open')
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = targets.get(top.id)?.[top.next++]
      if (edge === undefined) {
        state.set(top.id, 'done')
        ended.push(top.id)
        path.pop()
      } else if (state.get(edge.to) === 'open') back.add(keyOf(edge.from, edge.to))
      else if (!state.has(edge.to)) {
        state.set(edge.to, 'open')
        path.push({ id: edge.to, next: 0 })
      }
    }
  }
  return { order: ended.reverse(), isBack: (from: string, to: string) => back.has(keyOf(from, to)) }
}

/** Each layer by the mean place of its neighbours, to and fro, so that few edges cross. */
function ordered(layers: LineageNode[][], edges: readonly LineageEdge[]): LineageNode[][] {
  const neighbours = new Map<string, string[]>()
  const add = (from: string, to: string) => neighbours.set(from, [...(neighbours.get(from) ?? []), to])
  for (const { from, to } of edges) {
    add(from, to)
    add(to, from)
  }
  let current = layers
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const places = new Map(
      current.flatMap((layer) => layer.map(({ id }, i) => [id, (i + 0.5) / layer.length] as const))
    )
    const mean = ({ id }: LineageNode) => {
      const near = neighbours.get(id) ?? []
      if (near.length === 0) return places.get(id) as number
      return near.reduce((sum, other) => sum + (places.get(other) as number), 0) / near.length
    }
    current = current.map((layer) => layer.toSorted((a, b) => mean(a) - mean(b)))
  }
  return current
}
