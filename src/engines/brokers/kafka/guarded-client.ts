import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { Connection } from '@platformatic/kafka'
import type { Outbound } from '../../outbound/index.ts'
import { toBrokerError } from '../errors.ts'
import { tlsNames } from '../guarded-socket.ts'
import { closedError } from '../lifetime.ts'

type KafkaLibrary = typeof import('@platformatic/kafka')

const KEEP_ALIVE_MS = 60_000

/** How the connections of one client are made: the client hands it to each of them as their context. */
export class Way {
  readonly tls: ConnectionOptions | undefined
  readonly #outbound: Outbound
  /** Nothing is connected any more. */
  isClosed = false

  constructor(outbound: Outbound, isTls: boolean) {
    this.#outbound = outbound
    this.tls = isTls ? {} : undefined
  }

  /** The address of a host that may be called. */
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
 * The client takes no function that makes its sockets, so its only way to make one is replaced. Brokers name each other,
 * and every address that the client comes to know passes here; one that belongs to nobody is not connected to.
 */
function guard({ Connection, NetworkError, loggers }: KafkaLibrary): void {
  // It would write passwords where DEBUG is set.
  loggers.protocol.enabled = false
  const connect = Connection.prototype.connect
  Connection.prototype.connect = function (this: Connection, host, port, callback) {
    const way = this.context
    if (!(way instanceof Way)) throw new Error('Connections to Kafka are made by way of the outbound engine')
    way
      .find(host, port)
      .then((address) => {
        // They are copied within the call, so that those of the next connection may be others.
        if (way.tls !== undefined) Object.assign(way.tls, tlsNames(host))
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

/** What the client throws over an answer that it can't make sense of ends the connection, not the process. */
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
