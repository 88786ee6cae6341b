import { parseEndpoints } from '../../../brokers/endpoint.ts'
import { connectNats, type NatsLink } from '../../../brokers/nats/connection.ts'
import type { Discovered, Driver } from '../../index.ts'
import { brokerSettings } from '../brokers.ts'
import { messageStream } from '../messages.ts'
import { queuePlaces, queueSchema, queueSettings, type UsualPorts } from '../settings.ts'
import { type ListRequest, QueueSource } from '../source.ts'
import { toNatsSourceError } from './errors.ts'
import { managerOf, readStream } from './reading.ts'

const PORTS: UsualPorts = { plain: 4222, tls: 4222 }

export const natsDriver: Driver = {
  schemaFor: (source) => queueSchema(source, PORTS),
  placesOf: (config, source) => queuePlaces(queueSettings(config, source, PORTS)),
  async open(config, source, { outbound }) {
    const settings = queueSettings(config, source, PORTS)
    const broker = brokerSettings('nats', settings)
    return new QueueSource({
      settings,
      outbound,
      greeting: 'nats',
      async connect() {
        const [endpoint] = parseEndpoints(broker.hosts, settings.port)
        if (endpoint === undefined) throw new Error('a host was parsed to none')
        return connectNats(endpoint, broker, outbound)
      },
      close: (link) => link.close(),
      list,
      read: readStream,
      toSourceError: (error) => toNatsSourceError(error, settings)
    })
  }
}

async function list({ client }: NatsLink, { limit }: ListRequest): Promise<Discovered> {
  const names: string[] = []
  for await (const { config } of (await managerOf(client)).streams.list()) {
    names.push(config.name)
    if (names.length > limit) break
  }
  const streams = names.slice(0, limit).sort()
  return { streams: streams.map((name) => messageStream(name, true)), isWhole: names.length <= limit }
}
