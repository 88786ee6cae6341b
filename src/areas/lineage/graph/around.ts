import type { Metadata } from '../../../engines/metadata/index.ts'
import type { ClaimedEdge } from './edge-reader.ts'
import { everything } from './everything.ts'
import { type Step, type Walk, walk } from './walk.ts'

export type Directions = 'upstream' | 'downstream' | 'both'

/** What is around a node; everything, without one. */
export function stepsAround(
  metadata: Metadata,
  { root, direction, ...rest }: Omit<Walk, 'root' | 'direction'> & { root: string | null; direction: Directions }
): AsyncGenerator<Step> {
  if (root === null) return everything(metadata, rest.atMs)
  if (direction !== 'both') return walk(metadata, { root, direction, ...rest })
  return bothWays(
    walk(metadata, { root, direction: 'upstream', ...rest }),
    walk(metadata, { root, direction: 'downstream', ...rest })
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
