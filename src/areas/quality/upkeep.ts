import { type Clock, toIso } from '../../engines/clock.ts'
import type { Worker } from '../../engines/jobs/index.ts'
import { deleteOldResults, deleteOldScores } from './results/store.ts'
import { deleteSilentRuns } from './runs/store.ts'

const DAY_MS = 86_400_000
const DELETED_AT_ONCE = 500

/** Deletes results and scores that are kept no longer, and runs of processes that were killed. */
export function pruneQuality(clock: Clock, keepDays: number): Worker<null> {
  return async ({ signal, commit }) => {
    const before = toIso(clock.now() - keepDays * DAY_MS)
    for (const deleteOld of [deleteOldResults, deleteOldScores, deleteSilentRuns]) {
      while ((await commit((tx) => deleteOld(tx, before, DELETED_AT_ONCE))) > 0 && !signal.aborted);
    }
  }
}
