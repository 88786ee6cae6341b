import type { Socket } from 'node:net'
import type { ConnectionOptions, NatsConnection, TlsOptions } from '@nats-io/transport-node'
import type { Outbound } from '../../outbound/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { BrokerError } from '../errors.ts'
import { tlsNames } from '../guarded-socket.ts'
import type { BrokerSettings } from '../index.ts'
import { closedError, Lifetime } from '../lifetime.ts'
import { toNatsError } from './errors.ts'

const CONNECT_LIMIT_MS = 5000
const PING_INTERVAL_MS = 20_000

export interface NatsLink {
  readonly client: NatsConnection
  readonly lifetime: Lifetime
  readonly where: string
  close(): Promise<void>
}

/**
 * One connection to one endpoint. It never reconnects by itself, so that the address is checked again with each
 * connection.
 */
export async function connectNats(endpoint: Endpoint, settings: BrokerSettings, outbound: Outbound): Promise<NatsLink> {
  const { connect } = await import('@nats-io/transport-node')
  const { host, port, where } = endpoint
  const { address, family } = await outbound.resolve(host, port)
  let client: NatsConnection
  try {
    client = await connect({
      ...clientOptions(settings, host),
      servers: `${family === 6 ? `[${address}]` : address}:${port}`
    })
  } catch (error) {
    throw toNatsError(error, where)
  }
  const lifetime = new Lifetime()
  void client
    .closed()
    .then((error) =>
      lifetime.end(
        error ? toNatsError(error, where) : new BrokerError('unreachable', `The connection to ${where} was lost`)
      )
    )
  return {
    client,
    lifetime,
    where,
    async close() {
      lifetime.end(closedError())
      await client.close()
    }
  }
}

function clientOptions(settings: BrokerSettings, host: string): ConnectionOptions {
  const { user, password, tls, ca, clientId = 'millrace' } = settings
  return {
    name: clientId,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { pass: password }),
    // Null keeps the client from trying TLS where it was not asked for.
    tls: tls ? (tlsNames(host, ca) as TlsOptions) : null,
    timeout: CONNECT_LIMIT_MS,
    pingInterval: PING_INTERVAL_MS,
    reconnect: false,
    // A server could otherwise send the client to addresses that nobody checked.
    ignoreClusterUpdates: true,
    resolve: false
  }
}

/** Stops or resumes reading from the server. The client can't do that, but its transport is a socket. */
export function setReading(client: NatsConnection, isReading: boolean): void {
  const { protocol } = client as NatsConnection & { protocol?: { transport?: { socket?: Socket } } }
  const socket = protocol?.transport?.socket
  if (isReading) socket?.resume()
  else socket?.pause()
}
