import type { Metadata } from '../../../engines/metadata/index.ts'
import { type ClaimedEdge, type Direction, edgesOf } from './edge-reader.ts'

/** One side of a search from both ends. */
interface Side {
  readonly direction: Direction
  border: string[]
  /** The edge by which each node was met; none for the end itself. */
  readonly met: Map<string, ClaimedEdge | undefined>
}

export interface FoundPath {
  /** In the order of the way; null where there is no way, as far as was looked. */
  readonly edges: readonly ClaimedEdge[] | null
  /** Whether it was given up before everything was looked at. */
  readonly isGivenUp: boolean
}

/** A shortest way from one node to another. Looks from both ends, so that it sees few of the nodes in between. */
export async function findPath(
  metadata: Metadata,
  ends: { readonly from: string; readonly to: string; readonly atMs: number },
  hasBudget: (nodes: number) => boolean
): Promise<FoundPath> {
  if (ends.from === ends.to) return { edges: [], isGivenUp: false }
  const ahead: Side = { direction: 'downstream', border: [ends.from], met: new Map([[ends.from, undefined]]) }
  const behind: Side = { direction: 'upstream', border: [ends.to], met: new Map([[ends.to, undefined]]) }
  while (ahead.border.length > 0 && behind.border.length > 0) {
    const [side, other] = ahead.border.length <= behind.border.length ? [ahead, behind] : [behind, ahead]
    const step = await advance(metadata, side, other, ends.atMs, () => hasBudget(ahead.met.size + behind.met.size))
    if (step === 'given up') return { edges: null, isGivenUp: true }
    if (step !== undefined) return { edges: wayThrough(step, ahead, behind), isGivenUp: false }
  }
  return { edges: null, isGivenUp: false }
}

/** Goes one edge further on one side; answers the node where both sides meet. */
async function advance(
  metadata: Metadata,
  side: Side,
  other: Side,
  atMs: number,
  hasBudget: () => boolean
): Promise<string | 'given up' | undefined> {
  const next: string[] = []
  for await (const edge of edgesOf(metadata, side.border, side.direction, atMs)) {
    const far = side.direction === 'downstream' ? edge.to : edge.from
    if (side.met.has(far)) continue
    side.met.set(far, edge)
    if (other.met.has(far)) return far
    if (!hasBudget()) return 'given up'
    next.push(far)
  }
  side.border = next.sort()
  return undefined
}

function wayThrough(middle: string, ahead: Side, behind: Side): ClaimedEdge[] {
  const way: ClaimedEdge[] = []
  for (let edge = ahead.met.get(middle); edge !== undefined; edge = ahead.met.get(edge.from)) way.unshift(edge)
  for (let edge = behind.met.get(middle); edge !== undefined; edge = behind.met.get(edge.to)) way.push(edge)
  return way
}
