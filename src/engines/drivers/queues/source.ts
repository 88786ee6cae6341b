import { OutboundError } from '../../outbound/errors.ts'
import type { Outbound } from '../../outbound/index.ts'
import { withFirstLook } from '../common/first-look.ts'
import type { Greeting } from '../common/greetings.ts'
import { entrySteps } from '../entry.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, OpenSource, Step, Stream, StreamChunk, StreamRead } from '../index.ts'
import { fromOutbound, reachSteps } from '../reach.ts'
import type { QueueSettings } from './settings.ts'

/** Streams that a test looks at, how many of them it tries to read, and how long each may take. */
const LOOKED_AT = 100
const TRIED = 3
const TRY_MS = 6000

export interface ListRequest {
  readonly limit: number
  readonly signal: AbortSignal
}

/** What differs between systems that are read over one connection. `C` is that connection. */
export interface QueueParts<C> {
  readonly settings: QueueSettings
  readonly outbound: Outbound
  /** How the protocol begins, where that is not with encryption at once. */
  readonly greeting?: Greeting
  /** Connects to a checked address and signs in. */
  connect(): Promise<C>
  list(connection: C, request: ListRequest): Promise<Discovered>
  read(connection: C, request: StreamRead): AsyncIterable<StreamChunk>
  /** Ends whatever the connection has under way. */
  close(connection: C): Promise<void> | void
  /** A `SourceError` for what the system or its client says; anything else stays what it is. */
  toSourceError(error: unknown): unknown
}

/** A source that is asked over a connection of its own for each piece of work. */
export class QueueSource<C> implements OpenSource {
  readonly #parts: QueueParts<C>
  readonly #connections = new Set<C>()

  constructor(parts: QueueParts<C>) {
    this.#parts = parts
  }

  get steps(): readonly Step[] {
    const { settings, outbound } = this.#parts
    const steps = [...reachSteps(settings, outbound), ...this.#own()]
    return withFirstLook(steps, settings, outbound, { greeting: this.#parts.greeting })
  }

  discover(request: ListRequest): Promise<Discovered> {
    return this.#using(request.signal, (connection) => this.#parts.list(connection, request))
  }

  async *read(request: StreamRead): AsyncGenerator<StreamChunk> {
    const { signal } = request
    const connection = await this.#enter(signal)
    const leave = () => this.#leave(connection)
    signal.addEventListener('abort', leave, { once: true })
    try {
      for await (const chunk of this.#parts.read(connection, request)) {
        yield chunk
        signal.throwIfAborted()
      }
    } catch (error) {
      throw this.#told(error, signal)
    } finally {
      signal.removeEventListener('abort', leave)
      await leave()
    }
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#connections, (connection) => this.#leave(connection)))
  }

  async #enter(signal: AbortSignal): Promise<C> {
    signal.throwIfAborted()
    try {
      const connection = await this.#parts.connect()
      this.#connections.add(connection)
      if (signal.aborted) await this.#leave(connection)
      signal.throwIfAborted()
      return connection
    } catch (error) {
      throw this.#told(error, signal)
    }
  }

  async #leave(connection: C): Promise<void> {
    if (this.#connections.delete(connection)) await this.#parts.close(connection)
  }

  async #using<T>(signal: AbortSignal, work: (connection: C) => Promise<T>): Promise<T> {
    const connection = await this.#enter(signal)
    const leave = () => this.#leave(connection)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await work(connection)
    } catch (error) {
      throw this.#told(error, signal)
    } finally {
      signal.removeEventListener('abort', leave)
      await leave()
    }
  }

  /** What was broken off fails with the reason for that, whatever the client makes of it. */
  #told(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason
    if (error instanceof OutboundError) return fromOutbound(error)
    return this.#parts.toSourceError(error)
  }

  #own(): Step[] {
    let streams: readonly Stream[] = []
    return [
      ...entrySteps(this.#parts.settings, (signal) => this.#using(signal, async () => undefined)),
      {
        name: 'list',
        run: async (signal) => {
          streams = (await this.discover({ limit: LOOKED_AT, signal })).streams
          return streams.length === 0
            ? 'There are no streams yet'
            : `Streams can be listed, such as ${streams[0]?.name}`
        }
      },
      { name: 'read', run: (signal) => this.#tryReading(streams, signal) }
    ]
  }

  /** One stream is enough: one that is broken must not make all of them look so. */
  async #tryReading(streams: readonly Stream[], signal: AbortSignal): Promise<string> {
    if (streams.length === 0) return 'there is nothing to read yet'
    const readable = streams.filter(({ isReadable }) => isReadable)
    // Where none may be read, trying tells why.
    const tried = readable.length > 0 ? readable : streams
    let first: unknown
    for (const { name } of tried.slice(0, TRIED)) {
      const limit = AbortSignal.timeout(TRY_MS)
      try {
        const request = { stream: name, limit: 1, signal: AbortSignal.any([signal, limit]) }
        for await (const _ of this.read(request)) break
        return `${name} can be read`
      } catch (error) {
        signal.throwIfAborted()
        first ??= limit.aborted ? new SourceError('timeout', `${name} gave nothing within ${TRY_MS / 1000} s`) : error
      }
    }
    throw first
  }
}
