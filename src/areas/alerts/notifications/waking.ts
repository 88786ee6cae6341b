import { toIso } from '../../../engines/clock.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'

/** Sees what groups have to tell. */
export const TELL = 'alerts.tell'
/** Sends what waits for one channel. */
export const SEND = 'alerts.send'

/** What a job that sends is asked to do. */
export interface SendOrder {
  readonly channelId: string
}

/**
 * One job looks at all groups that are due by a second, however many they are. The second is one that has not begun, so
 * the job is not under way yet, and sees what the transaction has written.
 */
export async function lookAt(tx: Db, jobs: Jobs, ms: number): Promise<void> {
  const second = Math.floor(ms / 1000) + 1
  await jobs.enqueue(tx, { kind: TELL, payload: null, key: String(second), runAt: toIso(second * 1000) })
}

/** Where the channel's job is under way, it may be past its last look; `sweep.ts` finds what was left then. */
export async function sendNow(tx: Db, jobs: Jobs, channelId: string): Promise<void> {
  const payload: SendOrder = { channelId }
  await jobs.enqueue(tx, { kind: SEND, payload, key: channelId })
}

export async function sendAt(tx: Db, jobs: Jobs, channelId: string, ms: number): Promise<void> {
  const second = Math.floor(ms / 1000) + 1
  const payload: SendOrder = { channelId }
  await jobs.enqueue(tx, { kind: SEND, payload, key: `${channelId}@${second}`, runAt: toIso(second * 1000) })
}
