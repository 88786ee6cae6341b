import { SourceError } from '../../errors.ts'
import type { Discovered, Driver, StreamChunk, StreamRead } from '../../index.ts'
import { connectBroker, fromBroker } from '../brokers.ts'
import { afterOf, MessageChunk, messageStream } from '../messages.ts'
import { queuePlaces } from '../settings.ts'
import { type ListRequest, QueueSource } from '../source.ts'
import { type MqttSettings, mqttSchema, mqttSettings } from './config.ts'
import { isFilter, isWithin } from './filters.ts'
import { connectListener, type Listener, listen, toMessage } from './listening.ts'

export const mqttDriver: Driver = {
  schemaFor: mqttSchema,
  placesOf: (config, source) => queuePlaces(mqttSettings(config, source)),
  async open(config, source, { outbound }) {
    const settings = mqttSettings(config, source)
    return new QueueSource<Listener>({
      settings,
      outbound,
      connect: () => connectBroker(settings, outbound, () => connectListener(settings, outbound)),
      async close({ connection, arrivals }) {
        arrivals.stop()
        await connection.close()
      },
      list: (listener, request) => list(listener, settings, request),
      read: (listener, request) => read(listener, settings, request),
      toSourceError: fromBroker
    })
  }
}

/** The filters that are configured, and the topics that are seen. */
async function list(listener: Listener, { topics }: MqttSettings, { limit }: ListRequest): Promise<Discovered> {
  const wrong = topics.find((topic) => !isFilter(topic))
  if (wrong !== undefined) throw new SourceError('bad_request', `${wrong} is no filter of topics`, '/topics')
  const names = new Set(topics)
  for await (const packets of listen(listener, topics)) {
    for (const { topic } of packets) names.add(topic)
    if (names.size > limit) break
  }
  const found = [...names].slice(0, limit).sort()
  return { streams: found.map((name) => messageStream(name, false)), isWhole: names.size <= limit }
}

async function* read(listener: Listener, { topics }: MqttSettings, request: StreamRead): AsyncGenerator<StreamChunk> {
  afterOf(request, false)
  const { stream } = request
  if (!isFilter(stream) || !topics.some((topic) => isWithin(stream, topic))) {
    throw new SourceError('not_found', 'This is no topic of those that are configured')
  }
  const chunk = new MessageChunk()
  let left = request.limit ?? Number.POSITIVE_INFINITY
  for await (const packets of listen(listener, [stream])) {
    for (const packet of packets.slice(0, left)) {
      chunk.add(toMessage(packet))
      if (chunk.isFull) yield chunk.take(undefined)
    }
    left -= packets.length
    if (left <= 0) break
  }
  if (chunk.rows > 0) yield chunk.take(undefined)
}
