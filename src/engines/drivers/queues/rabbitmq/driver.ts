import { SourceError } from '../../errors.ts'
import type { Discovered, Driver, Stream } from '../../index.ts'
import { messageStream } from '../messages.ts'
import { type ListRequest, QueueSource } from '../source.ts'
import { AmqpConnection } from './amqp/connection.ts'
import { METHOD } from './amqp/methods.ts'
import { AmqpRefusal } from './amqp/refusals.ts'
import { octet, shortText } from './amqp/values.ts'
import { type RabbitSettings, rabbitPlaces, rabbitSchema, rabbitSettings } from './config.ts'
import { toRabbitError } from './errors.ts'
import { listByManagement } from './management.ts'
import { consume, countOf, readStream } from './reading.ts'

/** From this version on a queue that is no stream is known to refuse to be read as one. */
const FIRST_VERSION = [3, 10] as const
const TRIED = 'tried'

export const rabbitDriver: Driver = {
  schemaFor: rabbitSchema,
  placesOf: (config, source) => rabbitPlaces(rabbitSettings(config, source)),
  async open(config, source, { outbound }) {
    const settings = rabbitSettings(config, source)
    const { managementPort, queues } = settings
    return new QueueSource({
      settings,
      outbound,
      async connect() {
        const connection = await AmqpConnection.open(settings, outbound)
        if (isNewEnough(connection.server)) return connection
        connection.close()
        throw new SourceError(
          'bad_request',
          `Streams are read from RabbitMQ 3.10 and later; this is ${connection.server}`
        )
      },
      close: (connection) => connection.close(),
      list(connection, request) {
        if (queues.length > 0) return listNamed(connection, queues, request)
        if (managementPort !== undefined) return listByManagement(settings, managementPort, outbound, request)
        throw new SourceError('bad_request', 'Give the managementPort, or the names of queues', '/queues')
      },
      read: readStream,
      toSourceError: (error) => toRabbitError(error, settings)
    })
  }
}

function isNewEnough(server: string): boolean {
  const [, major = 0, minor = 0] = (/^RabbitMQ (\d+)\.(\d+)/.exec(server) ?? []).map(Number)
  return major > FIRST_VERSION[0] || (major === FIRST_VERSION[0] && minor >= FIRST_VERSION[1])
}

/** Those of the queues that are there. Whether one can be read is tried, from its end on, where there is nothing. */
async function listNamed(
  connection: AmqpConnection,
  queues: RabbitSettings['queues'],
  { limit, signal }: ListRequest
): Promise<Discovered> {
  const names = [...new Set(queues)].sort()
  const streams: Stream[] = []
  for (const name of names.slice(0, limit)) {
    signal.throwIfAborted()
    const found = await lookAt(connection, name)
    if (found !== undefined) streams.push(found)
  }
  if (streams.length === 0)
    throw new SourceError('not_found', 'None of these queues is in this virtual host', '/queues')
  return { streams, isWhole: names.length <= limit }
}

async function lookAt(connection: AmqpConnection, name: string): Promise<Stream | undefined> {
  try {
    await countOf(connection, name)
    await consume(connection, name, TRIED, 'next')
    await connection.ask(METHOD.stopConsuming, METHOD.stopConsumingOk, [shortText(TRIED), octet(0)])
    return messageStream(name, true)
  } catch (error) {
    if (!(error instanceof AmqpRefusal && error.ended === 'channel')) throw error
    await connection.openChannel()
    return error.code === 404 ? undefined : { ...messageStream(name, false), isReadable: false }
  }
}
