import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, toIso } from '../clock.ts'
import type { Db } from '../metadata/index.ts'
import type { Worker } from './index.ts'

export const PRUNE_KIND = 'jobs.prune'
export const PRUNE_EVERY_MS = 3_600_000

const KEEP_MS = 7 * 86_400_000
const BATCH = 500

/** Deletes jobs that finished more than 7 days ago, in small batches. */
export function pruneFinished(clock: Clock): Worker<null> {
  return async ({ commit, signal }) => {
    const before = toIso(clock.now() - KEEP_MS)
    for (let deleted = 0; ; ) {
      const count = await commit((tx) => deleteBatch(tx, before))
      deleted += count
      if (count < BATCH || signal.aborted) return { deleted }
      await turn() // gives other work its turn: an embedded database answers without ever waiting
    }
  }
}

async function deleteBatch(tx: Db, before: string): Promise<number> {
  const old = tx.selectFrom('jobs').select('id').where('finished_at', '<', before).orderBy('finished_at').limit(BATCH)
  const { numDeletedRows } = await tx.deleteFrom('jobs').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
