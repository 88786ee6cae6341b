import type { ClaimedEdge } from './edge-reader.ts'
import { everything } from './everything.ts'
import type { GraphReader } from './reader.ts'
import { type Step, type Walk, walk } from './walk.ts'

export type Directions = 'upstream' | 'downstream' | 'both'

/** What is around a node; everything, without one. */
export function stepsAround(
  reader: GraphReader,
  { root, direction, ...rest }: Omit<Walk, 'root' | 'direction'> & { root: string | null; direction: Directions }
): AsyncGenerator<Step> {
  if (root === null) return everything(reader, rest.atMs)
  if (direction !== 'both') return walk(reader, { root, direction, ...rest })
  return bothWays(
    walk(reader, { root, direction: 'upstream', ...rest }),
    walk(reader, { root, direction: 'downstream', ...rest })
  )
}

/** What leads to the root, then what it leads to; what is in a circle with it is met by both, and told once. */
async function* bothWays(upstream: AsyncIterable<Step>, downstream: AsyncIterable<Step>): AsyncGenerator<Step> {
  const told = new Set<string>()
  for (const steps of [upstream, downstream]) {
    for await (const step of steps) {
      const name = nameOf(step)
      if (told.has(name)) continue
      told.add(name)
      yield step
    }
  }
}

const nameOf = (step: Step): string => (step.node === undefined ? endsOf(step.edge) : step.node)
const endsOf = ({ from, to }: ClaimedEdge): string => `${from} ${to}`
