import type { Clock } from '../../../engines/clock.ts'
import { readCursor, refusedCursor, writeCursor } from '../../../http/cursor.ts'
import type { ClaimedEdge } from './edge-reader.ts'
import type { Cut } from './shown.ts'
import type { Step } from './walk.ts'

/** Edges of one answer, for each node that it may have. */
const EDGES_PER_NODE = 10
/** How long one answer may take to be found. */
const BUDGET_MS = 3000

/** A part of a walk. */
export interface WalkPage {
  readonly nodes: readonly { readonly node: string; readonly distance: number }[]
  readonly edges: readonly ClaimedEdge[]
  readonly truncatedBy: 'nodes' | 'edges' | 'time' | null
  /** Whether there is more to be told; not where the walk itself was cut off. */
  readonly goesOn: boolean
  /** Steps from the beginning to the end of this part. */
  readonly position: number
}

/**
 * Takes part of a walk: past the steps that earlier answers had, until there is enough. Walking past is not counted, so that
 * whoever goes on always gets further.
 */
export async function takePage(
  steps: AsyncGenerator<readonly (Step | Cut)[]>,
  { skip, limit }: { readonly skip: number; readonly limit: number },
  clock: Pick<Clock, 'now'>
): Promise<WalkPage> {
  const nodes: { node: string; distance: number }[] = []
  const edges: ClaimedEdge[] = []
  let position = 0
  let endMs = Number.POSITIVE_INFINITY
  for await (const some of steps) {
    for (const step of some) {
      if ('cutBy' in step) return { nodes, edges, truncatedBy: step.cutBy, goesOn: false, position }
      if (position >= skip) {
        if (position === skip) endMs = clock.now() + BUDGET_MS
        const truncatedBy =
          nodes.length >= limit && step.node !== undefined
            ? 'nodes'
            : edges.length >= limit * EDGES_PER_NODE
              ? 'edges'
              : clock.now() > endMs && position > skip
                ? 'time'
                : null
        if (truncatedBy !== null) return { nodes, edges, truncatedBy, goesOn: true, position }
        if (step.node === undefined) edges.push(step.edge)
        else nodes.push(step)
      }
      position++
    }
  }
  return { nodes, edges, truncatedBy: null, goesOn: false, position }
}

/** Where an answer goes on: the time it is about, so that all parts fit together, and the steps before it. */
interface Place {
  readonly asOfMs: number
  readonly steps: number
}

/** `question` is what the cursor was made for: it fits no other. */
export const writePlace = (question: string, { asOfMs, steps }: Place): string => writeCursor([question, asOfMs, steps])

export function readPlace(question: string, cursor: string): Place {
  const read = readCursor(cursor)
  const [asked, asOfMs, steps] = Array.isArray(read) ? read : []
  if (asked !== question || !Number.isSafeInteger(asOfMs) || !Number.isSafeInteger(steps) || steps < 0) {
    throw refusedCursor('with the same root, direction, depth and types')
  }
  return { asOfMs, steps }
}
