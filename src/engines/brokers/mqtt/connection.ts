import type { IClientOptions, IConnackPacket, IPublishPacket, MqttClient } from 'mqtt'
import type { Outbound } from '../../outbound/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { BrokerError, toBrokerError } from '../errors.ts'
import { openGuardedSocket } from '../guarded-socket.ts'
import type { BrokerSettings } from '../index.ts'
import { atMost, closedError, Lifetime } from '../lifetime.ts'
import { refusal } from './reasons.ts'

const CONNECT_LIMIT_MS = 5000
const CLOSE_LIMIT_MS = 1000
const KEEP_ALIVE_S = 30
const RECEIVE_MAXIMUM = 65_535

export interface SessionOptions {
  readonly clientId: string
  /** Whether to begin anew, without the session that the broker has kept for this client. */
  readonly clean: boolean
  /** How long the broker keeps messages for this client while it is away. */
  readonly expiryS: number
  /** Called before the first message. */
  readonly onSession: (isResumed: boolean) => void
  /** The next message comes after `done` was called; the receiver has to acknowledge. */
  readonly onMessage: (packet: IPublishPacket, done: () => void) => void
}

export interface MqttConnection {
  readonly client: MqttClient
  readonly lifetime: Lifetime
  readonly where: string
  /** Without `forget` the broker keeps the session for as long as was agreed at its beginning. */
  close(options?: { readonly forget: boolean }): Promise<void>
}

/** One connection to one endpoint. It never reconnects by itself, because packet ids are only valid within it. */
export async function connectMqtt(
  endpoint: Endpoint,
  settings: BrokerSettings,
  outbound: Outbound,
  session: SessionOptions
): Promise<MqttConnection> {
  const { MqttClient } = await import('mqtt')
  const { where } = endpoint
  const dialled = { host: endpoint.host, port: endpoint.port, tls: settings.tls === true, ca: settings.ca }
  const client = new MqttClient(() => openGuardedSocket(dialled, outbound), clientOptions(settings, session))
  const lifetime = new Lifetime()
  client.on('error', (error) => {
    const { code, message } = error as { code?: unknown; message: string }
    lifetime.end(refusal(code, `The connection to ${where}`, message) ?? toBrokerError(error, where))
  })
  client.on('disconnect', ({ reasonCode }) => {
    const reason = `reason ${reasonCode}`
    lifetime.end(refusal(reasonCode, `The connection to ${where}`, reason) ?? lost(where))
  })
  client.on('close', () => lifetime.end(lost(where)))
  void lifetime.over().then(() => {
    client.end(true)
    // A client that is already ending ignores `end`.
    client.stream?.destroy()
  })
  receive(client, session)
  const connected = new Promise<void>((resolve) => client.once('connect', () => resolve()))
  client.connect()
  await lifetime.during(connected)
  return {
    client,
    lifetime,
    where,
    async close({ forget } = { forget: false }) {
      const ending = client.endAsync(forget ? { properties: { sessionExpiryInterval: 0 } } : {})
      await atMost(CLOSE_LIMIT_MS, lifetime.during(ending))
      lifetime.end(closedError())
    }
  }
}

function clientOptions({ user, password }: BrokerSettings, session: SessionOptions): IClientOptions {
  return {
    manualConnect: true,
    protocolVersion: 5,
    clientId: session.clientId,
    clean: session.clean,
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    keepalive: KEEP_ALIVE_S,
    connectTimeout: CONNECT_LIMIT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    // Formatting log lines that nobody reads would be a good part of the time for a message.
    log: () => {},
    properties: { receiveMaximum: RECEIVE_MAXIMUM, sessionExpiryInterval: session.expiryS }
  }
}

const notAcknowledgedYet = new Error('acknowledged later')

function receive(client: MqttClient, { onSession, onMessage }: SessionOptions): void {
  let isHeld = false
  let isHeard = false
  client.once('packetreceive', (packet) => {
    if (packet.cmd === 'connack') onSession((packet as IConnackPacket).sessionPresent)
  })
  // An error keeps the client from acknowledging by itself, and has no other effect.
  client.handleMessage = (packet, callback) => {
    isHeld = true
    isHeard = true
    onMessage(packet, () => {
      isHeld = false
      callback(notAcknowledgedYet)
    })
  }
  const onTimeout = client.onKeepaliveTimeout.bind(client)
  // While messages are held back, so is the answer to a ping; and where very many come, it comes after them.
  client.onKeepaliveTimeout = () => {
    if (!isHeld && !isHeard) return onTimeout()
    isHeard = false
    client.reschedulePing(true)
  }
}

function lost(where: string): BrokerError {
  return new BrokerError('unreachable', `The connection to ${where} was lost`)
}
