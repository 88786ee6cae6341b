import { NodeFault } from '../contract/context.ts'

/**
 * To be called after the lineage was told what a run reads and writes: what it publishes has the level of that from the first
 * moment on. Where levels can't be brought in line now, the run is tried again later.
 */
export async function requireLevels(classification: { settle(): Promise<boolean> }): Promise<void> {
  if (await classification.settle()) return
  const message = 'Levels of secrecy do not follow their changes yet, so that what it writes could have none'
  throw new NodeFault('transient', 'levels_behind', message)
}
