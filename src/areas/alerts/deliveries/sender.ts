import { type Channels, createChannels, type Message, type Sent } from '../../../engines/channels/index.ts'
import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Jobs, RunningJob, Worker } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Outbound } from '../../../engines/outbound/index.ts'
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
  outbound(): Promise<Outbound>
  series(): Promise<Series>
}

/** Messages to one channel that are under way at once. */
const AT_ONCE = 4
/** A message that is under way for so long was cut off by the end of its process. No channel takes as long. */
const CLAIM_MS = 60_000

type Sending = RunningJob<SendOrder>

/**
 * Sends what waits for a channel. One job of a process does it, however much waits: a receiver that hangs holds up no other
 * channel.
 */
export function sender(needs: SenderNeeds): Worker<SendOrder> {
  const busy = new Set<string>()
  let channels: Promise<Channels> | undefined
  return async (job) => {
    const { channelId } = job.payload
    if (busy.has(channelId)) return
    busy.add(channelId)
    try {
      channels ??= needs.outbound().then((outbound) => createChannels({ outbound, clock: needs.clock }))
      await sendAll(needs, await channels, job)
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
    const due = (await store.dueDeliveries(metadata.db, channelId, clock.now(), AT_ONCE)).filter(
      ({ kind }) => channel === undefined || kind === 'test' || maySend(channel, clock.now())
    )
    if (due.length === 0) {
      const nextMs = await store.nextTryMs(metadata.db, channelId)
      if (nextMs === null || channel?.enabled === 0) return
      const atMs = Math.max(nextMs, channel?.held_until_ms ?? 0, clock.now())
      await job.commit((tx) => sendAt(tx, jobs, channelId, atMs))
      return
    }
    await Promise.all(due.map((delivery) => attempt(needs, channels, job, channel, delivery)))
  }
}

const maySend = ({ enabled, held_until_ms }: ChannelRow, nowMs: number): boolean =>
  enabled === 1 && (held_until_ms ?? 0) <= nowMs

/** Sends one message once. What is written before it tells that it began, so that one that was cut off is known. */
async function attempt(
  needs: SenderNeeds,
  channels: Channels,
  job: Sending,
  channel: ChannelRow | undefined,
  { id }: DeliveryRow
): Promise<void> {
  const { clock, sendTotals } = needs
  const claimed = await job.commit((tx) => claim(needs, tx, id))
  if (claimed === undefined) return
  if (channel === undefined) {
    await job.commit((tx) => endWithout(tx, claimed, clock))
    return
  }
  const beganMs = clock.now()
  const begun = clock.elapsed()
  const sent = await send(needs, channels, channel, claimed, job.signal)
  const durationMs = Math.round(clock.elapsed() - begun)
  await job.commit((tx) => endAttempt(tx, needs, { delivery: claimed, sent, at: toIso(beganMs), durationMs }))
  sendTotals.add(sent.outcome)
}

/** Takes a delivery, unless somebody else has. */
async function claim({ clock }: SenderNeeds, tx: Parameters<Parameters<Sending['commit']>[0]>[0], id: string) {
  const delivery = await store.lockDelivery(tx, id)
  if (delivery === undefined || delivery.state !== 'waiting' || (delivery.next_ms ?? 0) > clock.now()) return undefined
  const known = (await store.attemptsOf(tx, [id])).get(id)?.length ?? 0
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
  return { ...delivery, attempts }
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
