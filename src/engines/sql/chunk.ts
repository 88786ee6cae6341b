import type { SqlChunk, SqlColumn, SqlValue } from './index.ts'
import { CHUNK_BYTES } from './limits.ts'

/** Makes chunks of rows that come a few at a time. */
export class ChunkBuilder {
  readonly #columns: readonly SqlColumn[]
  readonly #maxRows: number
  readonly #cursorIndex: number | undefined
  #ready: SqlChunk[] = []
  #values: SqlValue[][]
  #rows = 0
  #bytes = 0

  constructor(columns: readonly SqlColumn[], maxRows: number, cursorIndex: number | undefined) {
    this.#columns = columns
    this.#maxRows = maxRows
    this.#cursorIndex = cursorIndex
    this.#values = columns.map(() => [])
  }

  add(row: readonly SqlValue[]): void {
    for (let i = 0; i < row.length; i++) {
      const value = row[i] as SqlValue
      this.#values[i]?.push(value)
      this.#bytes += sizeOf(value)
    }
    this.#rows += 1
    if (this.#rows >= this.#maxRows || this.#bytes >= CHUNK_BYTES) this.#close()
  }

  /** Takes the chunks that are full. */
  takeFull(): SqlChunk[] {
    const chunks = this.#ready
    this.#ready = []
    return chunks
  }

  /** Takes the remaining rows as chunks, when there are no more. */
  takeRest(): SqlChunk[] {
    if (this.#rows > 0) this.#close()
    return this.takeFull()
  }

  #close(): void {
    const at = this.#cursorIndex
    const position = at === undefined ? undefined : cursorText(this.#values[at]?.at(-1) ?? null)
    this.#ready.push({ columns: this.#columns, values: this.#values, rows: this.#rows, position })
    this.#values = this.#columns.map(() => [])
    this.#rows = 0
    this.#bytes = 0
  }
}

/** A value as text that can be given as `after`. */
export function cursorText(value: SqlValue): string {
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

export function sizeOf(value: SqlValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length + 8 : 8
}
