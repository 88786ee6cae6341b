import type { Channels, Message, Sent } from '../../../engines/channels/index.ts'
import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Jobs, RunningJob, Worker } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Series } from '../../../engines/series/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import { openChannel } from '../channels/secrets.ts'
import { findChannel } from '../channels/store.ts'
import type { ChannelRow, DeliveryRow } from '../notifications/migrations.ts'
import { type SendOrder, sendAt } from '../notifications/waking.ts'
import { endAttempt, endWithout } from './ending.ts'
import { withLastValues } from './last-values.ts'
import * as store from './store.ts'
import type { SendTotals } from './totals.ts'

export interface SenderNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly jobs: Jobs
  readonly vault: Vault
  readonly log: Log
  readonly sendTotals: SendTotals
  channels(): Promise<Channels>
  series(): Promise<Series>
  /** The units of these tags, for those that have one. */
  units(sourceId: string, tags: readonly string[]): Promise<Readonly<Record<string, string>>>
}

/** Messages to one channel that are under way at once. */
const AT_ONCE = 4
/** Messages that are found in one question: to find those that are due takes longer the more of them there are. */
const FOUND_AT_ONCE = 500
/** A message that is under way for so long was cut off by the end of its process. No channel takes as long. */
const CLAIM_MS = 60_000

type Sending = RunningJob<SendOrder>

/**
 * Sends what waits for a channel. One job of a process does it, however much waits: a receiver that hangs holds up no other
 * channel.
 */
export function sender(needs: SenderNeeds): Worker<SendOrder> {
  const busy = new Set<string>()
  return async (job) => {
    const { channelId } = job.payload
    if (busy.has(channelId)) return
    busy.add(channelId)
    try {
      await sendAll(needs, await needs.channels(), job)
    } finally {
      busy.delete(channelId)
    }
  }
}

async function sendAll(needs: SenderNeeds, channels: Channels, job: Sending): Promise<void> {
  const { metadata, clock, jobs } = needs
  const { channelId } = job.payload
  while (!job.signal.aborted) {
    const channel = await findChannel(metadata.db, channelId)
    const due = (await store.dueDeliveries(metadata.db, channelId, clock.now(), FOUND_AT_ONCE)).filter((delivery) =>
      maySend(channel, delivery, clock.now())
    )
    if (due.length === 0) {
      const nextMs = await store.nextTryMs(metadata.db, channelId)
      if (nextMs === null || channel?.enabled === 0) return
      const atMs = Math.max(nextMs, channel?.held_until_ms ?? 0, clock.now())
      await job.commit((tx) => sendAt(tx, jobs, channelId, atMs))
      return
    }
    await sendFound(needs, channels, job, due)
  }
}

/** Several at once, each as soon as another has ended. After the first that does not arrive it is asked anew what to send. */
async function sendFound(needs: SenderNeeds, channels: Channels, job: Sending, due: readonly store.DueDelivery[]) {
  const waiting = due.values()
  let isWell = true
  const takeNext = async (tx: Db) => {
    const { value: next } = isWell && !job.signal.aborted ? waiting.next() : { value: undefined }
    return next === undefined ? undefined : claim(needs, tx, next.id)
  }
  const work = async () => {
    let claimed = await job.commit(takeNext)
    while (claimed !== undefined) {
      const end = await attempt(needs, channels, claimed, job.signal)
      isWell &&= end.isWell
      // With the end of one, the next is taken: two transactions for each would be two waits for the disk.
      claimed = await job.commit(async (tx) => {
        await end.write(tx)
        return takeNext(tx)
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, due.length) }, work))
}

/** Where the channel is gone, it is noted that nobody can be told; a test is wanted now. */
function maySend(channel: ChannelRow | undefined, { kind }: Pick<DeliveryRow, 'kind'>, nowMs: number): boolean {
  if (channel === undefined || kind === 'test') return true
  return channel.enabled === 1 && (channel.held_until_ms ?? 0) <= nowMs
}

/** Sends one message once; answers how to write down what came of it. */
async function attempt(
  needs: SenderNeeds,
  channels: Channels,
  { delivery, channel }: Claimed,
  signal: AbortSignal
): Promise<{ readonly isWell: boolean; write(tx: Db): Promise<void> }> {
  const { clock, sendTotals } = needs
  if (channel === undefined) return { isWell: true, write: (tx) => endWithout(tx, delivery, clock) }
  const at = clock.iso()
  const begun = clock.elapsed()
  const sent = await send(needs, channels, channel, delivery, signal)
  const durationMs = Math.round(clock.elapsed() - begun)
  sendTotals.add(sent.outcome)
  return {
    isWell: sent.outcome === 'sent',
    write: (tx) => endAttempt(tx, needs, { delivery, sent, at, durationMs })
  }
}

interface Claimed {
  readonly delivery: DeliveryRow
  readonly channel: ChannelRow | undefined
}

/**
 * Takes a delivery, unless somebody else has, or the channel may not be told any more; answers both as they are now. That
 * it has begun is written before it is sent, so that one that was cut off is known.
 */
async function claim({ clock, metadata }: SenderNeeds, tx: Db, id: string): Promise<Claimed | undefined> {
  const delivery = await store.takeDelivery(tx, metadata.dialect, id)
  if (delivery === undefined || delivery.state !== 'waiting' || (delivery.next_ms ?? 0) > clock.now()) return undefined
  const channel = await findChannel(tx, delivery.channel_id)
  if (!maySend(channel, delivery, clock.now())) return undefined
  const known = delivery.attempts === 0 ? 0 : ((await store.attemptsOf(tx, [id])).get(id)?.length ?? 0)
  if (known < delivery.attempts) {
    await store.insertAttempt(tx, {
      delivery_id: id,
      number: delivery.attempts,
      at: toIso((delivery.next_ms ?? 0) - CLAIM_MS),
      duration_ms: 0,
      outcome: 'unknown',
      status: null,
      code: 'cut_off',
      answer: 'The server ended in the middle: it may have arrived. It is sent again under the same key'
    })
  }
  const attempts = delivery.attempts + 1
  await store.updateDelivery(tx, id, { attempts, next_ms: clock.now() + CLAIM_MS })
  return { delivery: { ...delivery, attempts }, channel }
}

async function send(
  needs: SenderNeeds,
  channels: Channels,
  channel: ChannelRow,
  delivery: DeliveryRow,
  signal: AbortSignal
): Promise<Sent> {
  try {
    const kept = JSON.parse(delivery.message) as Message
    const message = channel.type === 'email' ? await withLastValues(needs, kept, signal) : kept
    const target = openChannel(needs.vault, channel)
    return await channels.send(target, message, { signal, idempotencyKey: delivery.id })
  } catch (error) {
    if (signal.aborted)
      return { outcome: 'failed', status: null, code: 'aborted', answer: 'The server is about to end' }
    needs.log.error({ err: error, channelId: channel.id, deliveryId: delivery.id }, 'a message can’t be sent')
    const answer = 'Something unforeseen went wrong; the log of the server has it'
    return { outcome: 'failed', status: null, code: 'unexpected_answer', answer }
  }
}
