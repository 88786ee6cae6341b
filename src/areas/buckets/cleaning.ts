import { rm } from 'node:fs/promises'
import { type Clock, toIso } from '../../engines/clock.ts'
import type { Worker } from '../../engines/jobs/index.ts'
import { deleteOldLinks, deleteUpload } from './store.ts'
import type { Uploads } from './uploads.ts'

const BATCH = 100
/** How long an expired link can still be looked at. */
const LINKS_KEPT_MS = 7 * 24 * 3600_000

/** Aborts uploads that were not completed in time, and deletes links that expired long ago. */
export function cleaner(clock: Clock, uploads: Uploads): Worker<null> {
  return async (job) => {
    const forget = (id: string) => job.commit((tx) => deleteUpload(tx, id))
    while (!job.signal.aborted && (await uploads.abortExpired(BATCH, forget)) === BATCH);
    const before = toIso(clock.now() - LINKS_KEPT_MS)
    while (!job.signal.aborted && (await job.commit((tx) => deleteOldLinks(tx, before, BATCH))) === BATCH);
  }
}

/** Removes the content that an earlier process has left. */
export function clearSpool(spoolDir: string): Promise<void> {
  return rm(spoolDir, { recursive: true, force: true })
}
