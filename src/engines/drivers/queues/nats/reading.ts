import { type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream'
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import type { NatsLink } from '../../../brokers/nats/connection.ts'
import { SourceError } from '../../errors.ts'
import type { StreamChunk, StreamRead } from '../../index.ts'
import { afterOf, badPosition, jsonObject, MessageChunk, type QueueMessage, timeText } from '../messages.ts'
import { Pulled } from './pulled.ts'

/** Streams have names of this form, and what is none must not become part of a subject. */
const NAME = /^[^\s.*>/\\\p{Cc}]+$/u
/** How long a consumer stays on the server whose reader has gone without a word. */
const ABANDONED_NS = 300 * 1e9

/** Without asking for rights that nothing else here needs. */
export const managerOf = (client: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(client, { checkAPI: false })

/** The messages of a stream up to the last that is there now. */
export async function* readStream({ client, lifetime }: NatsLink, request: StreamRead): AsyncGenerator<StreamChunk> {
  const { stream, cursor, limit = Number.POSITIVE_INFINITY } = request
  const manager = await managerOf(client)
  const { config, state } = await infoOf(manager, stream)
  const from = firstWanted(afterOf(request), state.last_seq)
  if (state.messages === 0 || from > state.last_seq) return
  const range = { stream, from, to: state.last_seq }
  // What is taken from a work queue is gone, and consumers keep others from it: its messages are asked for one by one.
  const messages = config.retention === 'limits' ? pulled(client, manager, range) : asked(manager, range)
  const chunk = new MessageChunk()
  let left = limit
  let last = ''
  for await (const message of lasting(messages, lifetime)) {
    chunk.add(message)
    last = message.id ?? ''
    left -= 1
    if (left === 0) break
    if (chunk.isFull) yield chunk.take(cursor && last)
  }
  if (chunk.rows > 0) yield chunk.take(cursor && last)
}

interface Range {
  readonly stream: string
  readonly from: number
  readonly to: number
}

async function infoOf(manager: JetStreamManager, stream: string): Promise<StreamInfo> {
  if (!NAME.test(stream)) throw new SourceError('not_found', 'No stream can have this name')
  return manager.streams.info(stream)
}

/** A stream that is shorter than the position is another one of the same name, and is read from its beginning. */
export function firstWanted(after: string | null, lastSequence: number): number {
  if (after === null) return 1
  const sequence = /^\d{1,16}$/.test(after) ? Number(after) : Number.NaN
  if (!Number.isSafeInteger(sequence)) throw badPosition('12345')
  return sequence > lastSequence ? 1 : sequence + 1
}

/** By a consumer that acknowledges nothing, keeps nothing on a disk, and is gone afterwards. */
async function* pulled(client: NatsConnection, manager: JetStreamManager, { stream, from, to }: Range) {
  const name = `millrace-${crypto.randomUUID()}`
  const { num_pending } = await manager.consumers.add(stream, {
    name,
    deliver_policy: 'by_start_sequence',
    opt_start_seq: from,
    ack_policy: 'none',
    inactive_threshold: ABANDONED_NS,
    mem_storage: true
  })
  const messages = new Pulled(client, stream, name)
  try {
    let pending = num_pending
    while (pending > 0) {
      const next = await messages.next(async () => (await manager.consumers.info(stream, name)).num_pending === 0)
      if (next === undefined || next.sequence > to) return
      const { sequence, timeMs, message } = next
      yield toMessage(sequence, message, timeText(timeMs))
      pending = sequence === to ? 0 : next.pending
    }
  } finally {
    messages.stop()
    await manager.consumers.delete(stream, name).catch(() => {})
  }
}

async function* asked(manager: JetStreamManager, { stream, from, to }: Range) {
  let sequence = from
  while (sequence <= to) {
    // The types of the client do not know that the first one from a sequence on may be asked for.
    const query = { seq: sequence, next_by_subj: '>' } as { seq: number }
    const found = await manager.streams.getMessage(stream, query)
    if (found === null || found.seq > to) return
    const { seq, subject, data, header, time } = found
    yield toMessage(seq, { subject, data, headers: header }, timeText(time.getTime()))
    sequence = seq + 1
  }
}

interface Received {
  readonly subject: string
  readonly data: Uint8Array
  readonly headers?: MsgHdrs | undefined
}

function toMessage(sequence: number, { subject, data, headers }: Received, time: string | null): QueueMessage {
  const pairs = [...(headers ?? [])].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
  const json = pairs.length === 0 ? null : jsonObject(pairs)
  return { id: String(sequence), time, topic: subject, key: null, headers: json, payload: data }
}

/** Ends with the connection: what waits for a server that is gone would wait for ever. */
async function* lasting<T>(source: AsyncGenerator<T>, lifetime: NatsLink['lifetime']): AsyncGenerator<T> {
  try {
    for (;;) {
      const { value, done } = await lifetime.during(source.next())
      if (done) return
      yield value
    }
  } finally {
    if (!lifetime.isOver) await source.return(undefined)
  }
}
