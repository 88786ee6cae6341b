import { SourceError } from '../errors.ts'
import type { StreamChunk, StreamRead, StreamValue } from '../index.ts'
import type { Page } from './system.ts'

const MAX_ROWS = 10_000
/** A chunk gets no more rows once it holds about this much. */
const MAX_BYTES = 4 << 20

/**
 * Makes chunks of pages. By a cursor, reading ends where a value does: all that have the same value as the last of `limit`
 * are among them, and a chunk ends where a value does too, so that whoever goes on from its position has nothing twice and misses nothing.
 */
export async function* chunksOf(pages: AsyncIterable<Page>, request: StreamRead): AsyncGenerator<StreamChunk> {
  const { cursor, limit = Number.POSITIVE_INFINITY, signal } = request
  let builder: ChunkBuilder | undefined
  let taken = 0
  for await (const { columns, rows, positions } of pages) {
    signal.throwIfAborted()
    builder ??= new ChunkBuilder(columns, cursor)
    for (const [at, row] of rows.entries()) {
      const position = positions?.[at] ?? builder.positionOf(row)
      if (taken >= limit && (cursor === undefined || position !== builder.lastPosition)) {
        yield* builder.takeRest()
        return
      }
      builder.add(row, position)
      taken += 1
    }
    yield* builder.takeFull()
    if (cursor === undefined && taken >= limit) break
  }
  if (builder !== undefined) yield* builder.takeRest()
}

class ChunkBuilder {
  readonly #columns: StreamChunk['columns']
  readonly #cursorAt: number | undefined
  #rows: (readonly StreamValue[])[] = []
  #positions: (string | undefined)[] = []
  #bytes = 0
  /** The greatest value of the cursor whose rows are all among the chunks that were taken. */
  #told: string | undefined
  #full: StreamChunk[] = []

  constructor(columns: StreamChunk['columns'], cursor: StreamRead['cursor']) {
    this.#columns = columns
    this.#told = cursor?.after ?? undefined
    if (cursor === undefined) return
    this.#cursorAt = columns.findIndex(({ name }) => name === cursor.column)
    if (this.#cursorAt < 0) throw new SourceError('not_found', `There is no column ${JSON.stringify(cursor.column)}`)
  }

  get lastPosition(): string | undefined {
    return this.#positions.at(-1)
  }

  positionOf(row: readonly StreamValue[]): string | undefined {
    return this.#cursorAt === undefined ? undefined : String(row[this.#cursorAt])
  }

  add(row: readonly StreamValue[], position: string | undefined): void {
    this.#rows.push(row)
    this.#positions.push(position)
    for (const value of row) this.#bytes += sizeOf(value)
    if (this.#rows.length > MAX_ROWS || this.#bytes > MAX_BYTES) this.#cut()
  }

  takeFull(): StreamChunk[] {
    const full = this.#full
    this.#full = []
    return full
  }

  takeRest(): StreamChunk[] {
    if (this.#rows.length > 0) this.#close(this.#rows.length, this.lastPosition)
    return this.takeFull()
  }

  /** Leaves the last value for the next chunk; where all rows have the same, the last row, so that its position is told once all are out. */
  #cut(): void {
    const { length } = this.#rows
    const start = this.#positions.indexOf(this.lastPosition)
    if (this.#cursorAt === undefined) this.#close(Math.min(length, MAX_ROWS), undefined)
    else if (start > 0) this.#close(start, this.#positions[start - 1])
    else if (length > 1) this.#close(length - 1, this.#told)
  }

  #close(count: number, position: string | undefined): void {
    const rows = this.#rows.splice(0, count)
    this.#positions.splice(0, count)
    this.#bytes = 0
    for (const row of this.#rows) for (const value of row) this.#bytes += sizeOf(value)
    this.#told = position
    const values = this.#columns.map((_, at) => rows.map((row) => row[at] ?? null))
    this.#full.push({ columns: this.#columns, values, rows: count, position })
  }
}

const sizeOf = (value: StreamValue): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length + 8 : 8
