import { RowWriter } from './row-binary.ts'
import { POINT_COLUMNS } from './schema.ts'
import type { ClickhouseServer } from './server.ts'

const MAX_INSERTS = 2
/** The most that goes into one insert, unless a single write has more. */
const FULL_BYTES = 16 << 20

interface Load {
  readonly rows: RowWriter
  readonly inserted: PromiseWithResolvers<void>
}

/**
 * Inserts points. Those that come while inserts are under way share the next one: each insert makes files that have
 * to be merged later, so ClickHouse can only keep up with few large ones.
 */
export class Inserter {
  readonly #server: ClickhouseServer
  readonly #loads: Load[] = []
  readonly #active = new Set<Promise<void>>()

  constructor(server: ClickhouseServer) {
    this.#server = server
  }

  /** Lets `encode` write rows now; resolves when ClickHouse has them. */
  insert(encode: (rows: RowWriter) => void): Promise<void> {
    let load = this.#loads.at(-1)
    if (load === undefined || load.rows.length > FULL_BYTES) {
      load = { rows: new RowWriter(), inserted: Promise.withResolvers() }
      this.#loads.push(load)
    }
    encode(load.rows)
    this.#start()
    return load.inserted.promise
  }

  /** Resolves when all inserts have ended or failed. */
  async close(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active)
  }

  #start(): void {
    if (this.#active.size >= MAX_INSERTS) return
    const load = this.#loads.shift()
    if (load === undefined) return
    const { resolve, reject } = load.inserted
    const running = this.#server
      .insert('points', POINT_COLUMNS, load.rows.finish())
      .then(resolve, reject)
      .then(() => {
        this.#active.delete(running)
        this.#start()
      })
    this.#active.add(running)
  }
}
