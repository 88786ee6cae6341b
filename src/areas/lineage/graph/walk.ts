import type { Metadata } from '../../../engines/metadata/index.ts'
import { type ClaimedEdge, type Direction, edgesOf } from './edge-reader.ts'

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

/**
 * Goes through the graph from a node, the nearest first and always in the same order. Circles are fine: each node is met
 * once. Whoever walks stops when there is enough.
 */
export async function* walk(metadata: Metadata, { root, direction, depth, atMs }: Walk): AsyncGenerator<Step> {
  const met = new Set([root])
  yield { node: root, distance: 0 }
  let border = [root]
  for (let distance = 1; distance <= depth && border.length > 0; distance++) {
    const next: string[] = []
    for await (const edge of edgesOf(metadata, border, direction, atMs)) {
      const far = direction === 'downstream' ? edge.to : edge.from
      if (!met.has(far)) {
        met.add(far)
        next.push(far)
        yield { node: far, distance }
      }
      yield { edge }
    }
    border = next.sort()
  }
}
