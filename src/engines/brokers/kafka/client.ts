import type { Kafka, KafkaConfig, SASLOptions } from 'kafkajs'
import type { Outbound } from '../../outbound/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { openGuardedSocket } from '../guarded-socket.ts'
import type { BrokerSettings } from '../index.ts'

const CONNECT_LIMIT_MS = 5000
const REQUEST_LIMIT_MS = 10_000

export interface ClientOptions {
  readonly settings: BrokerSettings
  readonly endpoints: readonly Endpoint[]
  readonly outbound: Outbound
  readonly trouble: Trouble
}

/** What the client does not pass on: why sockets failed, and what it would have written to a log. */
export class Trouble {
  socketError: unknown
  /** What went wrong since Kafka was last heard of. */
  message: string | undefined
}

/** For everything that the client tries again by itself. */
export const RETRY = { retries: 4, initialRetryTime: 100, maxRetryTime: 2000 } as const

export async function createClient({ settings, endpoints, outbound, trouble }: ClientOptions): Promise<Kafka> {
  const { Kafka, logLevel } = (await import('kafkajs')).default
  const sasl = saslOptions(settings)
  const config: KafkaConfig = {
    clientId: settings.clientId ?? 'millrace',
    brokers: endpoints.map(({ where }) => where),
    connectionTimeout: CONNECT_LIMIT_MS,
    authenticationTimeout: CONNECT_LIMIT_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    ssl: settings.tls === true,
    ...(sasl === undefined ? {} : { sasl }),
    // Brokers name each other, so every address that the client comes to know passes here.
    socketFactory: ({ host, port, ssl, onConnect }) => {
      const socket = openGuardedSocket({ host, port, tls: Boolean(ssl) }, outbound, onConnect)
      socket.on('error', (error) => {
        trouble.socketError = error
      })
      return socket
    },
    retry: RETRY,
    logLevel: logLevel.ERROR,
    logCreator: () => (entry) => {
      trouble.message = entry.log.message
    }
  }
  return new Kafka(config)
}

function saslOptions({ user, password, sasl = 'plain' }: BrokerSettings): SASLOptions | undefined {
  if (user === undefined || password === undefined) return undefined
  return { mechanism: sasl, username: user, password } as SASLOptions
}
