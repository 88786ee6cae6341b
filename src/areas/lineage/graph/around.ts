import type { ClaimedEdge } from './edge-reader.ts'
import { everything } from './everything.ts'
import type { GraphReader } from './reader.ts'
import { type Step, type Steps, type Walk, walk } from './walk.ts'

export type Directions = 'upstream' | 'downstream' | 'both'

/** What is around a node; everything, without one. */
export function stepsAround(
  reader: GraphReader,
  { root, direction, ...rest }: Omit<Walk, 'root' | 'direction'> & { root: string | null; direction: Directions }
): Steps {
  if (root === null) return everything(reader, rest.atMs)
  if (direction !== 'both') return walk(reader, { root, direction, ...rest })
  return bothWays(
    walk(reader, { root, direction: 'upstream', ...rest }),
    walk(reader, { root, direction: 'downstream', ...rest })
  )
}

/** What leads to the root, then what it leads to; what is in a circle with it is met by both, and told once. */
async function* bothWays(upstream: Steps, downstream: Steps): Steps {
  const told = new Set<string>()
  for (const steps of [upstream, downstream]) {
    for await (const some of steps) {
      const fresh = some.filter((step) => !told.has(nameOf(step)))
      for (const step of fresh) told.add(nameOf(step))
      yield fresh
    }
  }
}

const nameOf = (step: Step): string => (step.node === undefined ? endsOf(step.edge) : step.node)
const endsOf = ({ from, to }: ClaimedEdge): string => `${from} ${to}`
