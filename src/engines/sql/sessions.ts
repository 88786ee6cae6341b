import { type Connection, Connections } from './connections.ts'
import { closed, SqlError } from './errors.ts'
import type { SqlChunk, SqlRead } from './index.ts'
import { DEFAULT_TIMEOUT_MS } from './limits.ts'
import { type Bounds, boundsOf } from './requests.ts'
import { Watch } from './watch.ts'

const ROLLBACK_LIMIT_MS = 5_000

export interface SessionConnection extends Connection {
  /** Whether there is an answer that was not read to its end. */
  readonly isBusy: boolean
  rollback(): Promise<unknown>
}

export type Reader<C, T> = (connection: C, request: SqlRead, bounds: Bounds, watch: Watch) => AsyncIterable<T>

/** Runs work on a connection of its own, and leaves nothing behind on the server, however the work ends. */
export class Sessions<C extends SessionConnection> {
  readonly #connections: Connections<C>
  readonly #underWay = new Set<Watch>()

  constructor(open: () => Promise<C>) {
    this.#connections = new Connections(open)
  }

  async *read<T = SqlChunk>(request: SqlRead, read: Reader<C, T>): AsyncGenerator<T> {
    const bounds = boundsOf(request)
    const { connection, watch } = await this.#begin(request.signal, bounds.timeoutMs)
    try {
      for await (const chunk of read(connection, request, bounds, watch)) {
        watch.throwIfStopped()
        yield chunk
      }
    } catch (error) {
      throw notAboutRows(error)
    } finally {
      await this.#end(connection, watch)
    }
  }

  async run<T>(signal: AbortSignal | undefined, work: (connection: C) => Promise<T>): Promise<T> {
    const { connection, watch } = await this.#begin(signal, DEFAULT_TIMEOUT_MS)
    try {
      return await watch.run(() => work(connection))
    } finally {
      await this.#end(connection, watch)
    }
  }

  close(): Promise<void> {
    for (const watch of this.#underWay) watch.halt(closed())
    return this.#connections.close()
  }

  async #begin(signal: AbortSignal | undefined, timeoutMs: number): Promise<{ connection: C; watch: Watch }> {
    signal?.throwIfAborted()
    const connection = await this.#connections.take()
    const watch = new Watch({ signal, timeoutMs, stop: () => this.#connections.stop(connection) })
    this.#underWay.add(watch)
    return { connection, watch }
  }

  async #end(connection: C, watch: Watch): Promise<void> {
    watch.end()
    this.#underWay.delete(watch)
    if (watch.isStopped) return
    // The rest of the rows would have to be read before the connection could be used again.
    if (connection.isBusy) return this.#connections.stop(connection)
    const ending = new Watch({ signal: undefined, timeoutMs: ROLLBACK_LIMIT_MS, stop: () => {} })
    try {
      if (connection.isOpen) await ending.run(() => connection.rollback())
      this.#connections.giveBack(connection)
    } catch {
      this.#connections.discard(connection)
    }
  }
}

/** Turns an error about rows into one about the query: a statement that writes nothing has no rows at fault. */
export function notAboutRows(error: unknown): unknown {
  return error instanceof SqlError && error.isAboutRows ? new SqlError('invalid_query', error.message) : error
}
