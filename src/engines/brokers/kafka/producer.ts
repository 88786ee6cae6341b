import type { Base, Producer } from '@platformatic/kafka'
import type { OutgoingMessage } from '../index.ts'
import { atMost, closedError, Lifetime } from '../lifetime.ts'
import { type ClientOptions, clientOptions } from './client.ts'
import { toKafkaError } from './errors.ts'
import { loadKafka } from './guarded-client.ts'
import { keyNumber } from './partition.ts'

const ACK_LIMIT_MS = 8000
const CLOSE_LIMIT_MS = 2000
const ALL_REPLICAS = -1

export interface KafkaProducer {
  readonly producer: Producer
  readonly lifetime: Lifetime
  close(): Promise<void>
}

export async function connectProducer(options: ClientOptions, where: string): Promise<KafkaProducer> {
  const { Producer } = await loadKafka()
  const { way, options: base } = clientOptions(options)
  const producer = new Producer({ ...base, timeout: ACK_LIMIT_MS, autocreateTopics: true })
  const lifetime = new Lifetime()
  const close = async () => {
    lifetime.end(closedError())
    way.isClosed = true
    await atMost(CLOSE_LIMIT_MS, producer.close(true))
  }
  await answered(producer, where).catch(async (error) => {
    await close()
    throw error
  })
  return { producer, lifetime, close }
}

/** Uses a connection of its own, since the one that publishes may not have noticed yet that it was lost. */
export async function checkKafka(options: ClientOptions, where: string): Promise<void> {
  const { Base } = await loadKafka()
  const { way, options: base } = clientOptions(options)
  const client = new Base(base)
  try {
    await answered(client, where)
  } finally {
    way.isClosed = true
    await atMost(CLOSE_LIMIT_MS, client.close())
  }
}

async function answered(client: Pick<Base, 'listApis'>, where: string): Promise<void> {
  try {
    await client.listApis()
  } catch (error) {
    throw toKafkaError(error, where)
  }
}

export async function send(
  { producer, lifetime }: KafkaProducer,
  messages: readonly OutgoingMessage[],
  where: string
): Promise<void> {
  const records = messages.map(({ topic, key, payload }) => ({ topic, ...keyed(key), value: toBuffer(payload) }))
  try {
    await lifetime.during(producer.send({ messages: records, acks: ALL_REPLICAS }))
  } catch (error) {
    throw toKafkaError(error, where)
  }
}

/** Messages without a key go to the partitions in turn. */
function keyed(text: string | undefined) {
  if (text === undefined) return {}
  const key = Buffer.from(text)
  return { key, partition: keyNumber(key) }
}

function toBuffer(payload: string | Uint8Array): Buffer {
  if (typeof payload === 'string') return Buffer.from(payload)
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
}
