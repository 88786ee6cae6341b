import type { Consumer, FetchOptions, RecordsBatch } from '@platformatic/kafka'
import { offsetAfter, readableBatches, timeOf } from '../../../brokers/kafka/batches.ts'
import { SourceError } from '../../errors.ts'
import type { StreamChunk, StreamRead } from '../../index.ts'
import { afterOf, jsonObject, jsonValue, MessageChunk, nameText, type QueueMessage, timeText } from '../messages.ts'
import type { KafkaConnection } from './connection.ts'
import { beginning, parsePosition, positionText } from './positions.ts'

const EARLIEST = -2n
const LATEST = -1n
const READ_COMMITTED = 1
const ANY_EPOCH = -1
const WAIT_MS = 500
const MOST_BYTES = 4 * 1024 * 1024
/** Answers without anything before the end is taken for the end: nothing of what is left there can be read. */
const MOST_EMPTY = 3

interface Partition {
  readonly topic: string
  readonly partition: number
  readonly from: bigint
  /** The offset after the last message that is read. */
  readonly end: bigint
}

/** The messages of a topic, one partition after the other, each up to the last that is there now. */
export async function* readTopic(connection: KafkaConnection, request: StreamRead): AsyncGenerator<StreamChunk> {
  const { stream, cursor } = request
  const positions = parsePosition(afterOf(request))
  const partitions = await partitionsOf(connection, stream)
  const chunk = new MessageChunk()
  const take = () => chunk.take(cursor && positionText(positions))
  let left = request.limit ?? Number.POSITIVE_INFINITY
  for (const { first, ...range } of partitions) {
    const { partition, end } = range
    const from = beginning(positions.get(partition), first, end)
    positions.set(partition, from)
    for await (const { message, next } of messagesOf(connection.consumer, { ...range, from })) {
      chunk.add(message)
      positions.set(partition, next)
      left -= 1
      if (left === 0) break
      if (chunk.isFull) yield take()
    }
    if (left === 0) break
    positions.set(partition, end)
  }
  if (chunk.rows > 0) yield take()
}

/** With what is there of each. A topic is looked for in the list, because asking for it by name may make it. */
async function partitionsOf({ consumer, admin }: KafkaConnection, topic: string) {
  if (!(await admin.listTopics()).includes(topic)) {
    throw new SourceError('not_found', 'There is no topic of this name; discover the streams again')
  }
  const [first, end] = await Promise.all([
    consumer.listOffsets({ topics: [topic], timestamp: EARLIEST }),
    consumer.listOffsets({ topics: [topic], timestamp: LATEST, isolationLevel: READ_COMMITTED })
  ])
  return (end.get(topic) ?? []).map((last, partition) => ({
    topic,
    partition,
    first: first.get(topic)?.[partition] ?? 0n,
    end: last
  }))
}

async function* messagesOf(consumer: Consumer, range: Partition) {
  const { topic, partition, from, end } = range
  let next = from
  let empty = 0
  while (next < end && empty < MOST_EMPTY) {
    const { batches, aborted } = await fetch(consumer, topic, partition, next)
    const readable = readableBatches(batches, aborted)
    const start = next
    for (const batch of batches) {
      for (const record of readable.has(batch) ? batch.records : []) {
        const offset = batch.firstOffset + BigInt(record.offsetDelta)
        if (offset >= end) return
        if (offset < next) continue
        next = offset + 1n
        yield { message: toMessage(topic, partition, offset, batch, record), next }
      }
      const after = offsetAfter(batch)
      if (after > next) next = after
    }
    empty = next === start ? empty + 1 : 0
  }
}

async function fetch(consumer: Consumer, topic: string, partition: number, from: bigint) {
  const { topics, brokers } = await consumer.metadata({ topics: [topic] })
  const known = topics.get(topic)
  const leader = known?.partitions[partition]?.leader
  if (known === undefined || leader === undefined || !brokers.has(leader)) {
    consumer.clearMetadata()
    throw new SourceError('unavailable', `Partition ${partition} has no broker that leads it; try again later`)
  }
  const asked = { partition, fetchOffset: from, partitionMaxBytes: MOST_BYTES }
  const options: FetchOptions<Buffer, Buffer, Buffer, Buffer> = {
    node: leader,
    topics: [
      { topicId: known.id, partitions: [{ ...asked, currentLeaderEpoch: ANY_EPOCH, lastFetchedEpoch: ANY_EPOCH }] }
    ],
    maxWaitTime: WAIT_MS,
    minBytes: 1,
    maxBytes: MOST_BYTES,
    isolationLevel: READ_COMMITTED
  }
  const { responses } = await consumer.fetch(options)
  const fetched = responses[0]?.partitions[0]
  return { batches: fetched?.records ?? [], aborted: fetched?.abortedTransactions ?? [] }
}

type BatchRecord = RecordsBatch['records'][number]

function toMessage(
  topic: string,
  partition: number,
  offset: bigint,
  batch: RecordsBatch,
  record: BatchRecord
): QueueMessage {
  const { key, value, headers } = record
  const pairs = headers.map(([name, one]): [string, unknown] => [
    name === null ? '' : nameText(name),
    one === null ? null : jsonValue(one)
  ])
  return {
    id: `${partition}:${offset}`,
    time: timeText(timeOf(batch, record)),
    topic,
    key: key === null ? null : nameText(key),
    headers: pairs.length === 0 ? null : jsonObject(pairs),
    payload: value
  }
}
