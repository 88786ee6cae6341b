import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { channelsWithWork } from '../deliveries/store.ts'
import { dueGroups } from './store.ts'
import { lookAt, sendNow } from './waking.ts'

/** So long after its time, something has been missed. */
const LATE_MS = 5000
const CHANNELS_AT_ONCE = 100

interface Needs {
  readonly metadata: Metadata
  readonly jobs: Jobs
}

/**
 * Wakes whoever should have seen what is due. It is for the rare case that a job was past its last look when something
 * came, or that its clock is ahead of others'.
 */
export async function sweep(
  { metadata, jobs }: Needs,
  nowMs: number,
  commit: (work: (tx: Db) => Promise<void>) => Promise<void>
) {
  const [late] = await dueGroups(metadata.db, nowMs - LATE_MS, 1)
  if (late !== undefined) await commit((tx) => lookAt(tx, jobs, nowMs))
  const channels = await channelsWithWork(metadata.db, nowMs - LATE_MS, nowMs, CHANNELS_AT_ONCE)
  if (channels.length === 0) return
  await commit(async (tx) => {
    for (const channelId of channels) await sendNow(tx, jobs, channelId)
  })
}
