import { NS_PER_DAY } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import { cut, mergeSegments } from '../memory/segments.ts'

/** Points of a tag on a day that come from one place. Of points with the same time, that of the later piece counts. */
export interface Piece {
  readonly firstNs: number
  readonly lastNs: number
  /**
   * The points from `fromNs` until before `toNs`; with edges, times may be approximate, but always between the right
   * two edges.
   */
  read(fromNs: number, toNs: number, edges: Float64Array | undefined): Segment
}

/** The pieces of a day sorted by time, each time once. */
export function* inOrder(pieces: readonly Piece[], edges: Float64Array | undefined): Iterable<Segment> {
  if (!overlapByTwos(pieces)) {
    yield mergeSegments(pieces.map((piece) => piece.read(0, NS_PER_DAY, undefined)))
    return
  }
  let from = 0
  for (const [at, piece] of pieces.entries()) {
    const next = pieces[at + 1]
    if (next === undefined || next.firstNs > piece.lastNs) {
      yield piece.read(from, NS_PER_DAY, edges)
      from = 0
      continue
    }
    yield piece.read(from, next.firstNs, edges)
    const end = piece.lastNs + 1
    // Points that come over several connections overlap for a moment: only the overlap is merged.
    yield mergeSegments([piece.read(next.firstNs, end, undefined), next.read(next.firstNs, end, undefined)])
    from = end
  }
}

/** Whether each piece shares times at most with the one before it and the one after it. */
function overlapByTwos(pieces: readonly Piece[]): boolean {
  for (let at = 2; at < pieces.length; at++) {
    for (let before = 0; before < at - 1; before++) {
      if ((pieces[at] as Piece).firstNs <= (pieces[before] as Piece).lastNs) return false
    }
  }
  return true
}

export function pieceOf(segment: Segment): Piece {
  return {
    firstNs: segment.ns[0] as number,
    lastNs: segment.ns[segment.length - 1] as number,
    read: (fromNs, toNs) => cut(segment, fromNs, toNs)
  }
}

/** The edges between two times, and these two. */
export function clip(edges: Float64Array, fromNs: number, toNs: number): Float64Array {
  const first = edges[0] as number
  const last = edges[edges.length - 1] as number
  if (fromNs <= first && toNs >= last) return edges
  const [from, to] = [Math.max(fromNs, first), Math.min(toNs, last)]
  return from >= to
    ? new Float64Array([from, from])
    : Float64Array.from([from, ...edges.filter((edge) => edge > from && edge < to), to])
}
