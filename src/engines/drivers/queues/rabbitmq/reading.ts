import { SourceError } from '../../errors.ts'
import type { StreamChunk, StreamRead } from '../../index.ts'
import { afterOf, jsonObject, MessageChunk, type QueueMessage, timeText } from '../messages.ts'
import type { AmqpMessage } from './amqp/amqp-message.ts'
import type { AmqpConnection } from './amqp/connection.ts'
import { METHOD } from './amqp/methods.ts'
import { long, longLong, octet, short, shortText, type Table, type TableValue, table } from './amqp/values.ts'
import { noStream } from './errors.ts'
import { firstWanted } from './offsets.ts'

/** Messages that the server may send ahead, and after how many it is told to send more. */
const AHEAD = 4000
const TOLD_AFTER = 1000
/** A stream that gives nothing for so long, and that the server counts no messages of, is empty. */
const QUIET_MS = 2000
/** Even one that it counts some of, for it counts records of its own as well. */
const MOST_QUIET = 5
/** A server puts no more messages than a few thousand into one of the parts that it keeps. */
const MOST_ROUNDS = 10
const OFFSET = 'x-stream-offset'
const PASSIVE = 1
const MAX_NAME_BYTES = 255
/** Names of this side for what it asks to be delivered. */
const LAST_PART = 'last'
const WANTED = 'wanted'

/** The messages of a stream up to the last that is there now. Nothing is taken away by it: streams keep what was acknowledged. */
export async function* readStream(connection: AmqpConnection, request: StreamRead): AsyncGenerator<StreamChunk> {
  const { stream, cursor, limit = Number.POSITIVE_INFINITY } = request
  const after = afterOf(request)
  const last = await lastOffset(connection, stream)
  const from = firstWanted(after, last ?? 0)
  if (last === undefined || from > last) return
  const chunk = new MessageChunk()
  let left = limit
  let id = ''
  for await (const [offset, message] of messagesOf(connection, stream, from, last)) {
    id = String(offset)
    chunk.add(toMessage(id, message))
    left -= 1
    if (left === 0) break
    if (chunk.isFull) yield chunk.take(cursor && id)
  }
  if (chunk.rows > 0) yield chunk.take(cursor && id)
}

/** Begins to have messages delivered. A queue that is no stream refuses that for the offset, before it gives any away. */
export async function consume(
  connection: AmqpConnection,
  queue: string,
  consumer: string,
  offset: TableValue
): Promise<void> {
  const values: Table = { [OFFSET]: offset }
  await connection.ask(METHOD.limit, METHOD.limitOk, [long(0), short(AHEAD), octet(0)])
  await connection.ask(METHOD.consume, METHOD.consumeOk, [
    short(0),
    ...[queue, consumer].map(shortText),
    octet(0),
    table(values)
  ])
}

/** How many messages the server counts, which it does every few seconds; throws where there is no such queue. */
export async function countOf(
  connection: AmqpConnection,
  queue: string,
  onMessage?: (message: AmqpMessage) => void
): Promise<number> {
  const content = [short(0), shortText(queue), octet(PASSIVE), table({})]
  const values = await connection.ask(METHOD.declareQueue, METHOD.declareQueueOk, content, onMessage)
  values.shortText()
  return values.long()
}

/** The offset of the last message; undefined where there is none. No server tells it, but its last part can be asked for. */
async function lastOffset(connection: AmqpConnection, stream: string): Promise<number | undefined> {
  if (Buffer.byteLength(stream) > MAX_NAME_BYTES) throw new SourceError('not_found', 'No queue can have this name')
  await countOf(connection, stream)
  await consume(connection, stream, LAST_PART, 'last')
  let newest: AmqpMessage | undefined
  const keep = (message: AmqpMessage) => {
    newest = message
  }
  for (let quiet = 0; newest === undefined; ) {
    const arrival = await connection.next(QUIET_MS)
    if (arrival !== undefined && 'message' in arrival) keep(arrival.message)
    if (arrival !== undefined) continue
    quiet += 1
    const isEmpty = (await countOf(connection, stream, keep)) === 0 || quiet === MOST_QUIET
    if (isEmpty && newest === undefined) return undefined
  }
  // Whatever may be sent after an acknowledgement is sent before the next answer.
  for (let round = 0, before: AmqpMessage | undefined; round < MOST_ROUNDS && newest !== before; round++) {
    before = newest
    acknowledge(connection, newest)
    await countOf(connection, stream, keep)
  }
  await connection.ask(METHOD.stopConsuming, METHOD.stopConsumingOk, [shortText(LAST_PART), octet(0)], keep)
  return offsetOf(newest)
}

async function* messagesOf(connection: AmqpConnection, stream: string, from: number, last: number) {
  await consume(connection, stream, WANTED, BigInt(from))
  let untold = 0
  for (;;) {
    const arrival = await connection.next()
    if (!('message' in arrival) || arrival.message.consumer !== WANTED) continue
    const { message } = arrival
    const offset = offsetOf(message)
    // The server may have dropped the last one for its age meanwhile.
    if (offset > last) return
    untold += 1
    if (untold === TOLD_AFTER) {
      acknowledge(connection, message)
      untold = 0
    }
    if (offset >= from) yield [offset, message] as const
    if (offset === last) return
  }
}

/** This one and all before it. */
function acknowledge(connection: AmqpConnection, { tag }: AmqpMessage): void {
  connection.send(METHOD.acknowledge, longLong(tag), octet(1))
}

function offsetOf({ headers }: AmqpMessage): number {
  const [, offset] = headers.find(([name]) => name === OFFSET) ?? []
  if (typeof offset !== 'number') throw noStream()
  return offset
}

function toMessage(
  id: string,
  { exchange, routingKey, properties, headers, seconds, body }: AmqpMessage
): QueueMessage {
  const own = headers.filter(([name]) => name !== OFFSET)
  const beside: (readonly [string, unknown])[] = [['exchange', exchange], ...properties]
  if (own.length > 0) beside.push(['headers', Object.fromEntries(own)])
  const time = seconds === undefined ? null : timeText(seconds * 1000)
  return { id, time, topic: routingKey, key: null, headers: jsonObject(beside), payload: body }
}
