import type { IPublishPacket } from 'mqtt'
import { parseEndpoints } from '../../../brokers/endpoint.ts'
import { connectMqtt, type MqttConnection } from '../../../brokers/mqtt/connection.ts'
import type { Outbound } from '../../../outbound/index.ts'
import { SourceError } from '../../errors.ts'
import { brokerSettings } from '../brokers.ts'
import { jsonObject, type QueueMessage } from '../messages.ts'
import { Arrivals } from './arrivals.ts'
import type { MqttSettings } from './config.ts'

export interface Listener {
  readonly connection: MqttConnection
  readonly arrivals: Arrivals
}

/** A connection whose session ends with it. */
export async function connectListener(settings: MqttSettings, outbound: Outbound): Promise<Listener> {
  const broker = brokerSettings('mqtt', settings)
  const [endpoint] = parseEndpoints(broker.hosts, settings.port)
  if (endpoint === undefined) throw new Error('a host was parsed to none')
  const arrivals = new Arrivals(settings.listenMs, () => connection.client.sendPing())
  const connection: MqttConnection = await connectMqtt(endpoint, broker, outbound, {
    clientId: `millrace-${crypto.randomUUID().slice(0, 13)}`,
    clean: true,
    expiryS: 0,
    onSession: () => {},
    onMessage: (packet, done) => arrivals.put(packet, done)
  })
  connection.client.on('packetreceive', ({ cmd }) => {
    if (cmd === 'pingresp') arrivals.answered()
  })
  return { connection, arrivals }
}

/** What the topics have retained, and what arrives within a while. Nothing has to be acknowledged. */
export async function* listen({ connection, arrivals }: Listener, filters: readonly string[]) {
  const { client, lifetime } = connection
  const granted = await lifetime.during(client.subscribeAsync([...filters], { qos: 0 }).catch(refused))
  if (granted.some(({ qos }) => Number(qos) >= 0x80)) refused()
  arrivals.listen()
  try {
    for (;;) {
      const packets = await lifetime.during(arrivals.take())
      if (packets === undefined) return
      yield packets
    }
  } finally {
    arrivals.stop()
  }
}

function refused(): never {
  throw new SourceError(
    'missing_permission',
    'The broker refuses to send these topics to the user; give it the right to read them there',
    '/topics'
  )
}

export function toMessage({ topic, payload, qos, retain, properties = {} }: IPublishPacket): QueueMessage {
  const { userProperties, contentType, responseTopic, messageExpiryInterval } = properties
  const told = { qos, retain, contentType, responseTopic, messageExpiryInterval, userProperties }
  const headers = Object.entries(told).filter(([, value]) => value !== undefined)
  return { id: null, time: null, topic, key: null, headers: jsonObject(headers), payload: Buffer.from(payload) }
}
