import { NodeFault } from '../contract/context.ts'
import type { NodeText, Ran, RunOptions, Workshop } from './workshop.ts'

const MAX_CRASHES = 6

/**
 * Runs a pipeline that crashes at some of its commits, by a seed, and goes on each time from the last one that was made, until
 * it ends. There is a commit after every batch.
 */
export async function crashing(
  workshop: Workshop,
  nodes: readonly NodeText[],
  options: RunOptions,
  seed: number
): Promise<Ran & { readonly crashes: number }> {
  let checkpoint: Ran['checkpoint'] = null
  let counted: RunOptions['counted'] = null
  const deadLetters: Ran['deadLetters'][number][] = []
  let commits = 0
  for (let crashes = 0; ; crashes++) {
    try {
      const ran = await workshop.run(nodes, {
        ...options,
        checkpoint,
        counted,
        eager: true,
        onCommit(commit) {
          commits += 1
          if (crashes < MAX_CRASHES && (seed + commits * 7) % 3 === 0)
            throw new NodeFault('fatal', 'crash', 'on purpose')
          checkpoint = commit.checkpoint
          counted = { ledger: commit.ledger, nodes: commit.nodes }
          deadLetters.push(...commit.deadLetters)
        }
      })
      return { ...ran, deadLetters, crashes }
    } catch (error) {
      if (!(error instanceof NodeFault) || error.code !== 'crash') throw error
    }
  }
}

/** The records in the objects under a prefix, of which there may be none. */
export async function rowsOf(workshop: Workshop, prefix: string): Promise<Record<string, unknown>[]> {
  return (await workshop.keys(prefix)).length === 0 ? [] : workshop.rows('SELECT * FROM objects', prefix)
}
