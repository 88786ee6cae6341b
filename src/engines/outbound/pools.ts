import { hash } from 'node:crypto'
import { type Dispatcher, Pool } from 'undici'
import type { Clock } from '../clock.ts'
import { type Pinned, PinnedConnector } from './connect.ts'
import type { Deadline } from './deadline.ts'

export const MAX_POOLS = 64
const MAX_CONNECTIONS_PER_POOL = 16
const MAX_HEADER_BYTES = 32 * 1024

interface Entry {
  readonly pool: Pool
  readonly connector: PinnedConnector
  /** Calls from their start until their body is read or dropped. */
  calls: number
}

/**
 * Connections kept for the next call. They are kept by origin, address and authority, so a call only ever finds one to
 * the address it has just had checked, by the authority that it trusts.
 */
export class Pools {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#entries.size
  }

  async request(
    pinned: Pinned,
    options: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
    deadline: Deadline
  ): Promise<Dispatcher.ResponseData> {
    const { target, address, ca } = pinned
    const key = `${target.origin} ${address} ${ca === undefined ? '' : hash('sha256', ca)}`
    const entry = this.#take(key, pinned)
    entry.calls++
    try {
      // The library takes notice of the signal only once it has a connection, hence the race.
      const response = await deadline.race(() =>
        entry.pool.request({
          ...options,
          path: target.path,
          signal: deadline.signal,
          headersTimeout: 0,
          bodyTimeout: 0
        })
      )
      response.body.once('close', () => entry.calls--)
      return response
    } catch (error) {
      entry.calls--
      // The failed call may have left a connection half made, and nothing else would end it.
      if (entry.calls === 0) this.#drop(key, entry)
      throw error
    }
  }

  async close(): Promise<void> {
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.all(entries.map(destroy))
  }

  #take(key: string, pinned: Pinned): Entry {
    const entry = this.#entries.get(key) ?? this.#open(pinned)
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size > MAX_POOLS) this.#retireOldest()
    return entry
  }

  #open(pinned: Pinned): Entry {
    const connector = new PinnedConnector(pinned, this.#clock)
    const pool = new Pool(pinned.target.origin, {
      connect: connector.connect,
      connections: MAX_CONNECTIONS_PER_POOL,
      maxHeaderSize: MAX_HEADER_BYTES,
      allowH2: false
    })
    return { pool, connector, calls: 0 }
  }

  /** Calls under way keep their connections until they end; each has a deadline. */
  #retireOldest(): void {
    for (const [key, { pool }] of this.#entries) {
      this.#entries.delete(key)
      pool.close().catch(() => {})
      return
    }
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
    destroy(entry).catch(() => {})
  }
}

function destroy({ pool, connector }: Entry): Promise<void> {
  const destroyed = pool.destroy()
  connector.abandon()
  return destroyed
}
