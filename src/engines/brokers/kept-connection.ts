import type { Lifetime } from './lifetime.ts'

export interface Keepable {
  readonly lifetime: Lifetime
  close(): Promise<void>
}

/** A connection that is made when it is first needed, and again when it is needed after it ended. */
export class KeptConnection<C extends Keepable> {
  readonly #connect: () => Promise<C>
  #current: Promise<C> | undefined

  constructor(connect: () => Promise<C>) {
    this.#connect = connect
  }

  async get(): Promise<C> {
    const current = this.#current
    const known = await current?.catch(() => undefined)
    if (known !== undefined && !known.lifetime.isOver) return known
    // Another caller that waited for the same connection may have replaced it already.
    if (this.#current === current) this.#current = this.#connect()
    return this.#current ?? this.get()
  }

  /** Closes this connection, now or when it has been made; the next caller gets a new one. */
  async drop(): Promise<void> {
    const dropped = this.#current
    this.#current = undefined
    const connection = await dropped?.catch(() => undefined)
    await connection?.close()
  }
}
