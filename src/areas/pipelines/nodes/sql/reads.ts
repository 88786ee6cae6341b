import { setTimeout as delay } from 'node:timers/promises'
import { openSql, type SqlChunk, type SqlRead } from '../../../../engines/sql/index.ts'
import { durationMs } from '../../contract/config-parts.ts'
import type { Batch, Source, SourceContext } from '../../contract/source.ts'
import { connected } from '../outside/faults.ts'
import { SqlBatch } from './batch.ts'
import { ChunksAhead } from './chunks-ahead.ts'
import { settingsFor } from './connector.ts'
import type { SqlSourceConfig } from './source.ts'

const MAX_BATCH_ROWS = 100_000
/** Where they come as lines of text, which are read at one go, and are computed rather than sent on one by one. */
const MAX_BULK_ROWS = 500_000
/** With a cursor, where a batch is a read of its own. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024
/** Without one, and as much again is read ahead. */
const MAX_STRETCH_BYTES = MAX_BATCH_BYTES / 2
/** The first batch is small: those who come after have something to do soon, and the first checkpoint little to save. */
const FIRST_LIMIT = 10_000
const SKIPS =
  'Reads again from the beginning and skips what was read before: rows that were added, changed or removed meanwhile may be missing or come twice. With a cursor none do.'

/** Where rows come from. */
export interface Rows {
  read(request: Pick<SqlRead, 'cursor' | 'limit' | 'signal'>): AsyncIterable<SqlChunk>
  close(): Promise<void>
}

/** The part of a configuration that says how rows are read. */
interface ReadsConfig {
  readonly table?: string | undefined
  readonly cursor?: string | undefined
  readonly interval?: string | undefined
}

interface Position {
  /** The greatest value of the cursor that was read. */
  readonly after?: string | null
  /** Rows that were put through of the read under way, where there is no cursor to go on from. */
  readonly rows?: number
}

/**
 * Reads that follow each other. With a cursor, a batch is a read of its own that ends where a value of the cursor does, so
 * that the next can go on after that value. Without one, a read that was broken off is run again and its first rows skipped.
 */
export class RowReads implements Source {
  readonly #context: SourceContext<ReadsConfig>
  readonly #rows: Rows
  #position: Position
  #limit = FIRST_LIMIT
  #chunks: AsyncIterator<SqlChunk> | undefined
  #made = 0
  #startedMs = 0
  #dueMs = 0
  #hasEnded = false

  constructor(context: SourceContext<ReadsConfig>, rows: Rows) {
    this.#context = context
    this.#rows = rows
    this.#position = (context.position as Position | undefined) ?? {}
  }

  async next({ waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<Batch | 'idle' | 'ended'> {
    for (;;) {
      if (this.#hasEnded) return 'ended'
      const leftMs = this.#dueMs - this.#context.elapsed()
      if (leftMs > 0) {
        await delay(Math.min(leftMs, waitMs), undefined, { signal })
        if (leftMs > waitMs) return 'idle'
      }
      const { cursor } = this.#context.config
      if (this.#startedMs <= this.#dueMs) this.#startedMs = this.#context.elapsed()
      const batch = await connected(() =>
        cursor === undefined ? this.#readOn(signal) : this.#readAfter(cursor, signal)
      )
      if (batch !== undefined) return batch
      this.#context.reached?.()
    }
  }

  async close(): Promise<void> {
    await this.#chunks?.return?.().catch(() => {})
    await this.#rows.close()
  }

  async #readAfter(column: string, signal: AbortSignal): Promise<Batch | undefined> {
    const limit = this.#limit
    const cursor = { column, after: this.#position.after ?? null }
    let after: string | undefined
    const batch = await this.#collect(this.#read({ cursor, limit, signal }), (chunk) => {
      after = chunk.position
      return true
    })
    const finished = await batch?.finish({ after }, this.#context.config)
    if (batch === undefined || batch.rows < limit) this.#endRead()
    if (batch === undefined) return undefined
    this.#position = { after: after ?? null }
    this.#limit = this.#limitAfter(batch, MAX_BATCH_BYTES)
    return finished
  }

  async #readOn(signal: AbortSignal): Promise<Batch | undefined> {
    try {
      this.#chunks ??= new ChunksAhead(this.#readFrom(this.#position.rows ?? 0, signal), MAX_STRETCH_BYTES)
      const batch = await this.#collect(this.#chunks, (_, { rows, bytes }) => {
        return rows < this.#limit && bytes < MAX_STRETCH_BYTES
      })
      if (batch === undefined) {
        this.#endRead()
        this.#chunks = undefined
        this.#position = { rows: 0 }
        return undefined
      }
      const position = { rows: (this.#position.rows ?? 0) + batch.rows }
      const finished = await batch.finish(position, this.#context.config)
      this.#position = position
      this.#limit = this.#limitAfter(batch, MAX_STRETCH_BYTES)
      return finished
    } catch (error) {
      await this.#chunks?.return?.().catch(() => {})
      this.#chunks = undefined
      throw error
    }
  }

  /** A read without its first rows. */
  #readFrom(skip: number, signal: AbortSignal): AsyncIterator<SqlChunk> {
    if (skip > 0) this.#context.log('warn', SKIPS)
    const chunks = this.#read({ signal })
    let left = skip
    return (async function* () {
      for (;;) {
        const { value, done } = await chunks.next()
        if (done) return
        const rest = Math.max(0, value.rows - left)
        if (rest === value.rows) yield value
        else if (rest > 0) yield lastRows(value, rest)
        left -= value.rows - rest
      }
    })()
  }

  #read(request: Parameters<Rows['read']>[0]): AsyncIterator<SqlChunk> {
    return this.#rows.read(request)[Symbol.asyncIterator]()
  }

  /** Puts chunks into a batch while there are some and `goesOn`; undefined where there are none. */
  async #collect(
    chunks: AsyncIterator<SqlChunk>,
    goesOn: (chunk: SqlChunk, batch: SqlBatch) => boolean
  ): Promise<SqlBatch | undefined> {
    let batch: SqlBatch | undefined
    try {
      for (;;) {
        const { value, done } = await chunks.next()
        if (done) return batch
        if (batch === undefined) {
          this.#made += 1
          batch = new SqlBatch(this.#context, this.#made, value.columns)
        }
        await batch.add(value)
        if (!goesOn(value, batch)) return batch
      }
    } catch (error) {
      await batch?.drop()
      throw error
    }
  }

  /** How many rows the next batch may have, where they are as wide as those of this one. */
  #limitAfter({ isText, rows, bytes }: SqlBatch, maxBytes: number): number {
    const maxRows = isText && this.#context.isBulk ? MAX_BULK_ROWS : MAX_BATCH_ROWS
    return Math.floor(Math.max(1, Math.min(maxRows, (maxBytes * rows) / (bytes + 1))))
  }

  #endRead(): void {
    const { interval } = this.#context.config
    if (interval === undefined) this.#hasEnded = true
    else this.#dueMs = this.#startedMs + durationMs(interval)
  }
}

function lastRows({ columns, values, position }: SqlChunk, rows: number): SqlChunk {
  return { columns, values: values.map((column) => column.slice(-rows)), rows, position }
}

export async function openSqlReads(context: SourceContext<SqlSourceConfig>): Promise<Source> {
  const { query, table } = context.config
  const settings = settingsFor(context.config)
  const what = query === undefined ? { table: table as string } : { query }
  const outbound = await context.outbound()
  return connected(async () => {
    const database = await openSql(settings, { outbound })
    try {
      await database.check()
      return new RowReads(context, {
        read: (request) => database.read({ ...what, ...request }),
        close: () => database.close()
      })
    } catch (error) {
      await database.close()
      throw error
    }
  })
}
