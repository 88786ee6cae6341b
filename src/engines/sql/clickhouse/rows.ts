import { SqlError } from '../errors.ts'
import { fromAnswer } from './errors.ts'

const TAB = 9
const NEWLINE = 10
const MAX_ROW_BYTES = 256 << 20

/**
 * The last field of every row. An answer that fails half way has status 200 and ends with an error message in its
 * place.
 */
export const ROW_END = '1'
const END_BYTE = ROW_END.charCodeAt(0)

/** Splits TabSeparated into rows as it arrives. */
export class RowSplitter {
  readonly #fields: number
  readonly #onRow: (fields: Buffer[]) => void
  #rest: Uint8Array[] = []
  #restBytes = 0

  /** `onRow` gets fields that are valid during the call only. */
  constructor(fields: number, onRow: (fields: Buffer[]) => void) {
    this.#fields = fields
    this.#onRow = onRow
  }

  push(piece: Uint8Array): void {
    if (!piece.includes(NEWLINE)) {
      this.#keep(piece)
      return
    }
    const bytes = Buffer.concat([...this.#rest, piece])
    this.#rest = []
    this.#restBytes = 0
    let start = 0
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start)
      if (end === -1) break
      this.#onRow(this.#split(bytes, start, end))
      start = end + 1
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start))
  }

  end(): void {
    if (this.#restBytes > 0) throw this.#brokenOff(Buffer.concat(this.#rest))
  }

  #split(bytes: Buffer, start: number, end: number): Buffer[] {
    const fields: Buffer[] = []
    for (let at = start; at <= end; ) {
      const tab = bytes.indexOf(TAB, at)
      const fieldEnd = tab === -1 || tab > end ? end : tab
      fields.push(bytes.subarray(at, fieldEnd))
      at = fieldEnd + 1
    }
    const last = fields.pop()
    if (fields.length !== this.#fields || last?.length !== 1 || last[0] !== END_BYTE) {
      throw this.#brokenOff(bytes.subarray(start))
    }
    return fields
  }

  #keep(piece: Uint8Array): void {
    this.#rest.push(piece)
    this.#restBytes += piece.length
    if (this.#restBytes > MAX_ROW_BYTES)
      throw new SqlError('invalid_query', `A row has more than ${MAX_ROW_BYTES} bytes`)
  }

  #brokenOff(rest: Buffer): SqlError {
    const text = rest.toString()
    if (text.includes('Code: ')) return fromAnswer(200, text.slice(text.indexOf('Code: ')))
    return new SqlError('unavailable', 'The answer of ClickHouse broke off; try again')
  }
}
