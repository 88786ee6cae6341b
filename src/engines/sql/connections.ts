import { closed, SqlError } from './errors.ts'
import { MAX_CONNECTIONS, MAX_IDLE_CONNECTIONS, MAX_IDLE_MS } from './limits.ts'

export interface Connection {
  /** Becomes false, for good, when the connection is lost. */
  readonly isOpen: boolean
  /** Closes at once, whatever is under way. */
  destroy(): void
  /** Ends the statement under way on the server, over another connection. */
  endStatement(): Promise<void>
}

/** The connections to one database: each runs one statement at a time, and a few idle ones are kept for the next. */
export class Connections<C extends Connection> {
  readonly #open: () => Promise<C>
  readonly #used = new Set<C>()
  readonly #stopping = new Set<Promise<void>>()
  #idle: { readonly connection: C; readonly sinceMs: number }[] = []
  #opening = 0
  #closed = false

  constructor(open: () => Promise<C>) {
    this.#open = open
  }

  async take(): Promise<C> {
    if (this.#closed) throw closed()
    const waiting = this.#fromIdle()
    if (waiting !== undefined) return waiting
    if (this.#used.size + this.#opening >= MAX_CONNECTIONS) {
      throw new SqlError('unavailable', `${MAX_CONNECTIONS} statements are under way already; try again`)
    }
    this.#opening += 1
    try {
      const connection = await this.#open()
      if (this.#closed) {
        connection.destroy()
        throw closed()
      }
      this.#used.add(connection)
      return connection
    } finally {
      this.#opening -= 1
    }
  }

  /** Takes back a connection that has nothing under way and no transaction. */
  giveBack(connection: C): void {
    if (!this.#used.delete(connection)) return
    if (this.#closed || !connection.isOpen || this.#idle.length >= MAX_IDLE_CONNECTIONS) connection.destroy()
    else this.#idle.push({ connection, sinceMs: performance.now() })
  }

  discard(connection: C): void {
    this.#used.delete(connection)
    connection.destroy()
  }

  /** Closes a connection and ends its statement on the server. */
  stop(connection: C): void {
    if (!this.#used.delete(connection)) return
    const stopping = connection
      .endStatement()
      .catch(() => {}) // a server that can't be told notices by itself
      .finally(() => {
        connection.destroy()
        this.#stopping.delete(stopping)
      })
    this.#stopping.add(stopping)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { connection } of this.#idle) connection.destroy()
    this.#idle = []
    await Promise.all(this.#stopping)
  }

  #fromIdle(): C | undefined {
    for (;;) {
      const last = this.#idle.pop()
      if (last === undefined) return undefined
      if (last.connection.isOpen && performance.now() - last.sinceMs < MAX_IDLE_MS) {
        this.#used.add(last.connection)
        return last.connection
      }
      last.connection.destroy()
    }
  }
}
