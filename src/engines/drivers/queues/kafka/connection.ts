import type { Admin, Consumer } from '@platformatic/kafka'
import { parseEndpoints } from '../../../brokers/endpoint.ts'
import { clientOptions } from '../../../brokers/kafka/client.ts'
import { toKafkaError } from '../../../brokers/kafka/errors.ts'
import { loadKafka } from '../../../brokers/kafka/guarded-client.ts'
import { destroySockets } from '../../../brokers/kafka/session.ts'
import { atMost } from '../../../brokers/lifetime.ts'
import type { Outbound } from '../../../outbound/index.ts'
import { brokerSettings } from '../brokers.ts'
import type { KafkaSettings } from './config.ts'

const CLOSE_LIMIT_MS = 2000
const RETRIES = 1

export interface KafkaConnection {
  /** Reads, and joins no group. */
  readonly consumer: Consumer
  readonly admin: Admin
  close(): Promise<void>
}

/** Clients of a cluster; every address that its brokers name is checked before it is connected to. */
export async function connectKafka(settings: KafkaSettings, outbound: Outbound): Promise<KafkaConnection> {
  const { Admin, Consumer } = await loadKafka()
  const broker = { ...brokerSettings('kafka', settings), sasl: settings.sasl }
  const endpoints = parseEndpoints(broker.hosts, settings.port)
  const { way, options } = clientOptions({ settings: broker, endpoints, outbound })
  const base = { ...options, retries: RETRIES }
  const consumer = new Consumer({ ...base, groupId: `millrace-${crypto.randomUUID()}` })
  const admin = new Admin(base)
  const close = async () => {
    way.isClosed = true
    for (const client of [consumer, admin]) destroySockets(client.connections)
    await atMost(CLOSE_LIMIT_MS, Promise.all([consumer.close(true), admin.close()]))
  }
  try {
    await consumer.listApis()
    return { consumer, admin, close }
  } catch (error) {
    await close()
    throw toKafkaError(error, `${settings.host}:${settings.port}`)
  }
}
