import { isMasked, MASK_TEXT, type Mask } from '../../data/mask.ts'
import type { StreamChunk, StreamColumn, StreamValue } from '../../engines/drivers/index.ts'
import { Problem } from './errors.ts'
import type { Sample } from './schema.ts'

/** What an answer holds at the most: it is made and sent as one text. */
const MAX_BYTES = 8 * 1024 * 1024
/** With a cursor there are more than were asked for, where many have the same value as the last. */
const MAX_RECORDS = 10_000
const MAX_NOTES = 20

interface Asked {
  readonly stream: string
  readonly columns: readonly StreamColumn[]
  readonly mask: Mask | undefined
  readonly limit: number
  /** Where reading goes on from; undefined without a cursor. */
  readonly after: string | null | undefined
}

/**
 * Records of a stream, as many as asked for. By a cursor all that have the same value as the last are among them, so that
 * nobody who goes on from there misses any.
 */
export class SampleRecords {
  readonly #asked: Asked
  readonly #records: Record<string, unknown>[] = []
  #columns: StreamChunk['columns']
  #position: string | null
  #bytes = 0
  #isCut = false
  readonly #notes: string[] = []

  constructor(asked: Asked) {
    this.#asked = asked
    this.#columns = asked.columns
    this.#position = asked.after ?? null
  }

  /** Answers whether there are enough. */
  add({ columns, values, rows, position }: StreamChunk): boolean {
    const { mask, limit, after } = this.#asked
    const hasCursor = after !== undefined
    this.#columns = columns
    const masked = columns.map(({ name }) => mask !== undefined && isMasked(mask, name))
    for (let row = 0; row < rows; row++) {
      if (!hasCursor && this.#records.length === limit) return true
      const cells = values.map((column) => column[row] ?? null)
      this.#bytes += cells.reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
      if (this.#bytes > MAX_BYTES || this.#records.length === MAX_RECORDS) return this.#cut(hasCursor)
      const entries = columns.map(({ name, type }, at): [string, unknown] => {
        if (masked[at]) return [name, type === 'text' ? MASK_TEXT : null]
        return [name, toJson(cells[at] ?? null)]
      })
      this.#records.push(Object.fromEntries(entries))
    }
    this.#position = position ?? null
    return false
  }

  note(message: string): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(message)
  }

  get answer(): Sample {
    const { stream, mask } = this.#asked
    return {
      stream,
      columns: this.#columns.map(({ name, type }) => ({ name, type })),
      records: this.#records,
      position: this.#position,
      truncated: this.#isCut,
      masked: mask === undefined ? [] : this.#columns.map(({ name }) => name).filter((name) => isMasked(mask, name)),
      notes: this.#notes
    }
  }

  /** Where somebody wants to go on from, nothing is left out unsaid. */
  #cut(hasCursor: boolean): boolean {
    if (hasCursor) {
      const detail = `The records are more than an answer holds, which is ${MAX_RECORDS} records or ${MAX_BYTES} bytes. Ask for fewer, or by a column in which fewer have the same value; a pipeline reads any number.`
      throw new Problem('sample_too_large', { detail })
    }
    this.#isCut = true
    return true
  }
}

const sizeOf = (value: StreamValue): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length + 8 : 8

function toJson(value: StreamValue): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}
