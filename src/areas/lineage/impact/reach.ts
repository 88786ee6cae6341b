import { Arrivals } from '../graph/arrivals.ts'
import type { GraphReader } from '../graph/reader.ts'
import { endsOf } from './ends.ts'

export interface Reached {
  readonly key: string
  readonly distance: number
}

/** What is reached from a node, the nearest first; and what made the walk end before everything was. */
export interface Reach<N extends Reached = Reached> {
  readonly nodes: readonly N[]
  readonly cutBy: 'nodes' | 'time' | 'depth' | null
}

export interface Budget {
  readonly maxNodes: number
  /** Edges from the root. Unlike a depth that somebody asks for, it makes the walk end before everything was reached. */
  readonly maxDepth: number
  hasTime(): boolean
}

/** Everything downstream of a node, and what of it are jobs. It reads keys only, so that much is looked at in little time. */
export async function reachOf(
  reader: GraphReader,
  { root, depth, atMs }: { readonly root: string; readonly depth: number; readonly atMs: number },
  budget: Budget
): Promise<Reach<Reached & { readonly isJob: boolean }>> {
  const arrivals = new Arrivals()
  arrivals.meet(root, false)
  const nodes: (Reached & { isJob: boolean })[] = []
  let border = new Map([[root, 'new']])
  for (let distance = 1; distance <= depth && border.size > 0; distance++) {
    const next = new Map<string, 'new' | 'again'>()
    const keys = [...border.keys()].sort()
    const withParts = new Set(keys.filter((key) => arrivals.leave(key)))
    for await (const ends of endsOf(reader, keys, atMs)) {
      for (const { from, key, isPart, isJob } of ends) {
        if (isPart ? !withParts.has(from) : border.get(from) === 'again') continue
        const met = arrivals.meet(key, isPart)
        if (met === 'known') continue
        next.set(key, met)
        if (met === 'again') continue
        if (distance > budget.maxDepth) return { nodes, cutBy: 'depth' }
        if (nodes.length >= budget.maxNodes) return { nodes, cutBy: 'nodes' }
        nodes.push({ key, distance, isJob })
      }
      if (!budget.hasTime()) return { nodes, cutBy: 'time' }
    }
    border = next
  }
  return { nodes, cutBy: null }
}
