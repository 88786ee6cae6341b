import type { BaseOptions, SASLOptions } from '@platformatic/kafka'
import type { Outbound } from '../../outbound/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { BrokerSettings } from '../index.ts'
import { Way } from './guarded-client.ts'

const CONNECT_LIMIT_MS = 5000
const REQUEST_LIMIT_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
const RETRIES = 4

export interface ClientOptions {
  readonly settings: BrokerSettings
  readonly endpoints: readonly Endpoint[]
  readonly outbound: Outbound
}

const MECHANISMS = {
  plain: 'PLAIN',
  'scram-sha-256': 'SCRAM-SHA-256',
  'scram-sha-512': 'SCRAM-SHA-512'
} as const

/**
 * The options of all clients, and the way of their connections. `onTrouble` is called with errors that are tried
 * again.
 */
export function clientOptions({ settings, endpoints, outbound }: ClientOptions, onTrouble?: (error: unknown) => void) {
  const way = new Way(outbound, settings.tls === true, settings.ca)
  const sasl = saslOptions(settings)
  const options = {
    clientId: settings.clientId ?? 'millrace',
    bootstrapBrokers: endpoints.map(({ host, port }) => ({ host, port })),
    connectTimeout: CONNECT_LIMIT_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    retries: RETRIES,
    retryDelay(_client: object, _operation: string, attempt: number, _retries: number, error: Error) {
      onTrouble?.(error)
      return Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
    },
    context: way,
    ...(way.tls === undefined ? {} : { tls: way.tls }),
    ...(sasl === undefined ? {} : { sasl })
  } satisfies BaseOptions
  return { way, options }
}

function saslOptions({ user, password, sasl = 'plain' }: BrokerSettings): SASLOptions | undefined {
  if (user === undefined || password === undefined) return undefined
  return { mechanism: MECHANISMS[sasl], username: user, password }
}
