import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import type { Outbound } from '../../../engines/outbound/index.ts'
import { openDatabase, resizeDatabase } from '../duckdb/database.ts'
import type { HostSettings } from '../protocol/protocol.ts'
import { MemoryLimit } from './memory-limit.ts'

/** What the runs of a host share: its database, its way out, its memory. */
export class HostEngines {
  #settings: HostSettings | undefined
  #database: Promise<DuckDBInstance> | undefined
  #outbound: Outbound | undefined
  #memory: MemoryLimit | undefined
  #memoryBytes = 0
  #places = 0

  async configure(settings: HostSettings): Promise<void> {
    this.#settings = settings
    this.#memoryBytes = settings.memoryBytes
    if (settings.processBytes !== undefined)
      this.#memory = new MemoryLimit(settings.memoryBytes + settings.processBytes)
    await this.database()
  }

  async resize(bytes: number): Promise<void> {
    const limit = (some: number) => this.#memory?.change(some + (this.#settings?.processBytes ?? 0))
    // While it changes, the larger of the two counts.
    limit(Math.max(bytes, this.#memoryBytes))
    await resizeDatabase(await this.database(), bytes)
    this.#memoryBytes = bytes
    limit(bytes)
  }

  database(): Promise<DuckDBInstance> {
    this.#database ??= openDatabase(this.#settings as HostSettings)
    return this.#database
  }

  /** A schema and a folder that no other run has, and the engines for it. */
  async place() {
    this.#places += 1
    const number = this.#places // others are begun while the database opens
    return {
      folder: join((this.#settings as HostSettings).folder, `run-${number}`),
      instance: await this.database(),
      schema: `run_${randomUUID()}`,
      outbound: async () => {
        const { createOutbound } = await import('../../../engines/outbound/index.ts')
        this.#outbound ??= createOutbound(this.#settings as HostSettings)
        return this.#outbound
      },
      now: Date.now,
      elapsed: () => performance.now()
    }
  }
}
