import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { Connection } from '@platformatic/kafka'
import type { Outbound } from '../../outbound/index.ts'
import { toBrokerError } from '../errors.ts'
import { tlsNames } from '../guarded-socket.ts'
import { closedError } from '../lifetime.ts'

type KafkaLibrary = typeof import('@platformatic/kafka')

const KEEP_ALIVE_MS = 60_000

/** How the connections of one client are made: the client passes it to each of them as context. */
export class Way {
  readonly tls: ConnectionOptions | undefined
  readonly ca: string | undefined
  readonly #outbound: Outbound
  /** Whether no more connections are made. */
  isClosed = false

  constructor(outbound: Outbound, isTls: boolean, ca?: string) {
    this.#outbound = outbound
    this.ca = ca
    this.tls = isTls ? {} : undefined
  }

  /** The checked address of a host. */
  async find(host: string, port: number): Promise<string> {
    const { address } = await this.#outbound.resolve(host, port)
    if (this.isClosed) throw closedError()
    return address
  }
}

let loaded: Promise<KafkaLibrary> | undefined

export function loadKafka(): Promise<KafkaLibrary> {
  loaded ??= import('@platformatic/kafka').then((library) => {
    guard(library)
    return library
  })
  return loaded
}

/**
 * The client takes no function that makes its sockets, so the method that makes them is replaced. Brokers name each
 * other, and every address that the client learns passes here; a connection without a `Way` is refused.
 */
function guard({ Connection, NetworkError, loggers }: KafkaLibrary): void {
  // It would log passwords where DEBUG is set.
  loggers.protocol.enabled = false
  const connect = Connection.prototype.connect
  Connection.prototype.connect = function (this: Connection, host, port, callback) {
    const way = this.context
    if (!(way instanceof Way)) throw new Error('Connections to Kafka are made by way of the outbound engine')
    way
      .find(host, port)
      .then((address) => {
        // The options are copied within the call, so they can be changed for the next connection.
        if (way.tls !== undefined) Object.assign(way.tls, tlsNames(host, way.ca))
        connect.call(this, address, port, callback)
        this.socket.setKeepAlive(true, KEEP_ALIVE_MS)
        contain(this.socket)
      })
      .catch((cause) => {
        const canRetry = toBrokerError(cause, host).isTransient
        const error = new NetworkError(`Connection to ${host}:${port} failed`, { cause, canRetry })
        callback?.(error)
        // Others may wait for the same connection.
        this.emit('error', error)
      })
  }
}

/** Errors that the client throws over an answer it can't read end the connection, not the process. */
function contain(socket: Socket): void {
  const emit = socket.emit
  socket.emit = function (this: Socket, ...event: Parameters<Socket['emit']>) {
    try {
      return emit.apply(this, event)
    } catch (error) {
      this.destroy(error as Error)
      return true
    }
  } as Socket['emit']
}
