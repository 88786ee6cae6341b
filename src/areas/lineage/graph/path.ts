import { type EdgesFrom, edgesAhead } from './ahead.ts'
import { type ClaimedEdge, type Direction, isOverlap } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'

/** One side of a search from both ends. */
interface Side {
  readonly direction: Direction
  readonly edgesFrom: EdgesFrom
  border: string[]
  /** How each node was met, apart for those that were met as parts of others: from these it goes on to no further parts. */
  readonly met: Map<string, { readonly edge: ClaimedEdge; readonly before: string } | undefined>
}

/** A node that was met as a part of another. */
const asPart = (node: string): string => `${node}~`
const nodeOf = (place: string): string => place.replace('~', '')

export interface FoundPath {
  /** In the order of the way; null where there is no way, as far as was looked. */
  readonly edges: readonly ClaimedEdge[] | null
  /** Whether it was given up before everything was looked at. */
  readonly isGivenUp: boolean
}

/** A shortest way from one node to another. Looks from both ends, so that it sees few of the nodes in between. */
export async function findPath(
  reader: GraphReader,
  ends: { readonly from: string; readonly to: string; readonly atMs: number },
  hasBudget: (nodes: number) => boolean
): Promise<FoundPath> {
  if (ends.from === ends.to) return { edges: [], isGivenUp: false }
  const ahead = sideOf(reader, 'downstream', ends.from, ends.atMs)
  const behind = sideOf(reader, 'upstream', ends.to, ends.atMs)
  while (ahead.border.length > 0 && behind.border.length > 0) {
    const [side, other] = ahead.border.length <= behind.border.length ? [ahead, behind] : [behind, ahead]
    const step = await advance(side, other, () => hasBudget(ahead.met.size + behind.met.size))
    if (step === 'given up') return { edges: null, isGivenUp: true }
    if (step !== undefined) {
      const places = side === ahead ? ([step.here, step.there] as const) : ([step.there, step.here] as const)
      return { edges: wayThrough(ahead, behind, places), isGivenUp: false }
    }
  }
  return { edges: null, isGivenUp: false }
}

const sideOf = (reader: GraphReader, direction: Direction, end: string, atMs: number): Side => ({
  direction,
  edgesFrom: edgesAhead(reader, direction, atMs),
  border: [end],
  met: new Map([[end, undefined]])
})

/** Goes one edge further on one side; answers the places where both sides meet. */
async function advance(side: Side, other: Side, hasBudget: () => boolean): Promise<Meeting | 'given up' | undefined> {
  const next: string[] = []
  const border = new Set(side.border)
  const nodes = [...new Set(side.border.map(nodeOf))].sort()
  for await (const edges of side.edgesFrom(nodes, Number.POSITIVE_INFINITY)) {
    for (const edge of edges) {
      const [near, far] = side.direction === 'downstream' ? [edge.from, edge.to] : [edge.to, edge.from]
      const isPart = isOverlap(edge)
      const before = border.has(near) ? near : asPart(near)
      if (isPart && before !== near) continue
      const here = isPart ? asPart(far) : far
      if (side.met.has(here) || side.met.has(far)) continue
      side.met.set(here, { edge, before })
      // The two halves of a way must not both lead to parts.
      const there = other.met.has(far) ? far : !isPart && other.met.has(asPart(far)) ? asPart(far) : undefined
      if (there !== undefined) return { here, there }
      if (!hasBudget()) return 'given up'
      next.push(here)
    }
  }
  side.border = next
  return undefined
}

/** Where the two sides meet, as each of them has it. */
interface Meeting {
  readonly here: string
  readonly there: string
}

function wayThrough(ahead: Side, behind: Side, [first, second]: readonly [string, string]): ClaimedEdge[] {
  const way: ClaimedEdge[] = []
  for (let step = ahead.met.get(first); step !== undefined; step = ahead.met.get(step.before)) way.unshift(step.edge)
  for (let step = behind.met.get(second); step !== undefined; step = behind.met.get(step.before)) way.push(step.edge)
  return way
}
