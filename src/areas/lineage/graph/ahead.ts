import { type ClaimedEdge, type Direction, edgesOf } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'
import { type Around, type Surroundings, surroundingsOf } from './surroundings.ts'

/** Steps that are read together from one node, and from some: those lead to more, of which a way may need few. */
const STEPS_AHEAD = 10
const STEPS_FROM_SOME = 3
const SOME = 200
/** Few steps are as soon read one by one. */
const MIN_STEPS = 3

/** What is around a node, as it is being read. */
export interface Begun {
  readonly node: string
  readonly steps: number
  readonly edges: Promise<Surroundings | undefined>
}

/** Begins to read what walks from nodes need first, so that they need not wait until the nodes themselves are known. */
export function begin(
  reader: GraphReader,
  starts: Readonly<Partial<Record<Direction, string>>>,
  { depth, atMs }: Pick<Around, 'depth' | 'atMs'>
): ReadonlyMap<Direction, Begun> {
  const steps = Math.min(depth, STEPS_AHEAD)
  if (reader.dialect !== 'postgres' || steps < MIN_STEPS) return new Map()
  const begun = Object.entries(starts).map(([toward, node]): [Direction, Begun] => {
    const direction = toward as Direction
    const edges = surroundingsOf(reader, { nodes: [node], direction, depth: steps, atMs })
    // Whoever finds that there is no such node never waits for it.
    edges.catch(() => {})
    return [direction, { node, steps, edges }]
  })
  return new Map(begun)
}

/** The nodes among those that something is around: that alone shows that they are known. */
export async function knownBy(begun: ReadonlyMap<Direction, Begun>): Promise<Set<string>> {
  const around = await Promise.all([...begun.values()].map(async ({ node, edges }) => (await edges)?.has(node) && node))
  return new Set(around.filter((node) => typeof node === 'string'))
}

/** Answers the edges that leave nodes, in pieces and in the order of their ends; `depth` is how many steps the walk may still go. */
export type EdgesFrom = (nodes: readonly string[], depth: number) => AsyncGenerator<readonly ClaimedEdge[]>

/**
 * The edges of a walk, which asks for those of each step in turn. Each statement is a way to the database and back, which only
 * SQLite has in the process: where there is not too much, those of some steps are read at once.
 */
export function edgesAhead(reader: GraphReader, direction: Direction, atMs: number): EdgesFrom {
  let isFew = reader.dialect === 'postgres' && (reader.unstored?.length ?? 0) === 0
  let known: Surroundings = new Map()
  let steps = 0
  let begun = reader.begun?.get(direction)
  const read = async (nodes: readonly string[], depth: number) => {
    const next = begun ?? { steps: depth, edges: surroundingsOf(reader, { nodes, direction, depth, atMs }) }
    begun = undefined
    const edges = await next.edges
    isFew = edges !== undefined
    known = edges ?? new Map()
    steps = isFew ? next.steps : 0
  }
  return async function* (nodes, depth) {
    const ahead = Math.min(depth, nodes.length === 1 ? STEPS_AHEAD : STEPS_FROM_SOME)
    if (isFew && steps === 0 && ahead >= MIN_STEPS && nodes.length <= SOME) await read(nodes, ahead)
    if (steps === 0) {
      yield* edgesOf(reader, nodes, direction, atMs)
      return
    }
    steps--
    yield nodes.flatMap((node) => known.get(node) ?? [])
  }
}
