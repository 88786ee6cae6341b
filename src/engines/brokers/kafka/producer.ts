import type { Kafka, Producer } from 'kafkajs'
import type { OutgoingMessage } from '../index.ts'
import { atMost, closedError, Lifetime } from '../lifetime.ts'
import { type ClientOptions, createClient, RETRY, Trouble } from './client.ts'
import { toKafkaError, withSocketError } from './errors.ts'

const ACK_LIMIT_MS = 8000
const CLOSE_LIMIT_MS = 2000
const ALL_REPLICAS = -1

export interface KafkaProducer {
  readonly client: Kafka
  readonly producer: Producer
  readonly lifetime: Lifetime
  close(): Promise<void>
}

export async function connectProducer(options: Omit<ClientOptions, 'trouble'>, where: string): Promise<KafkaProducer> {
  const trouble = new Trouble()
  const client = await createClient({ ...options, trouble })
  const producer = client.producer({ retry: RETRY })
  const lifetime = new Lifetime()
  const close = async () => {
    lifetime.end(closedError())
    await atMost(CLOSE_LIMIT_MS, producer.disconnect())
  }
  try {
    await producer.connect()
  } catch (error) {
    await close()
    throw withSocketError(error, trouble.socketError, where)
  }
  return { client, producer, lifetime, close }
}

/** A connection of its own, since the one that publishes may not know yet that it was lost. */
export async function checkKafka({ client }: KafkaProducer, where: string): Promise<void> {
  const admin = client.admin()
  try {
    await admin.connect()
  } catch (error) {
    throw toKafkaError(error, where)
  } finally {
    await atMost(CLOSE_LIMIT_MS, admin.disconnect())
  }
}

export async function send(
  { producer, lifetime }: KafkaProducer,
  messages: readonly OutgoingMessage[],
  where: string
): Promise<void> {
  const byTopic = Map.groupBy(messages, ({ topic }) => topic)
  const topicMessages = Array.from(byTopic, ([topic, those]) => ({
    topic,
    messages: those.map(({ key, payload }) => ({ key: key ?? null, value: toBuffer(payload) }))
  }))
  try {
    await lifetime.during(producer.sendBatch({ topicMessages, acks: ALL_REPLICAS, timeout: ACK_LIMIT_MS }))
  } catch (error) {
    throw toKafkaError(error, where)
  }
}

function toBuffer(payload: string | Uint8Array): Buffer {
  if (typeof payload === 'string') return Buffer.from(payload)
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
}
