import { rm } from 'node:fs/promises'
import { type Clock, toIso } from '../../engines/clock.ts'
import type { Worker } from '../../engines/jobs/index.ts'
import { deleteOldLinks, deleteUpload } from './store.ts'
import type { Uploads } from './uploads.ts'

const BATCH = 100
/** How long a link can still be looked at after it has stopped working. */
const LINKS_KEPT_MS = 7 * 24 * 3600_000

/** Gives up uploads that nobody has completed in time, and forgets links that have long expired. */
export function cleaner(clock: Clock, uploads: Uploads): Worker<null> {
  return async (job) => {
    const forget = (id: string) => job.commit((tx) => deleteUpload(tx, id))
    while (!job.signal.aborted && (await uploads.abortExpired(BATCH, forget)) === BATCH);
    const before = toIso(clock.now() - LINKS_KEPT_MS)
    while (!job.signal.aborted && (await job.commit((tx) => deleteOldLinks(tx, before, BATCH))) === BATCH);
  }
}

/** What an earlier process has left waiting belongs to nobody. */
export function clearSpool(spoolDir: string): Promise<void> {
  return rm(spoolDir, { recursive: true, force: true })
}
