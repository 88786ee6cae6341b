import type { SqlChunk, SqlColumn, SqlValue } from '../index.ts'
import { columnsOfLines, isPlain, valueOfLine } from './copy-text.ts'
import { decoderOf } from './types.ts'

const NEWLINE = 10

/** Rows as COPY sent them. Whoever can read the lines themselves is spared the values, which cost more than all the rest. */
export class CopiedChunk implements SqlChunk {
  readonly columns: readonly SqlColumn[]
  readonly rows: number
  readonly position: string | undefined
  readonly text: Uint8Array | undefined
  readonly #lines: Buffer
  #values: readonly (readonly SqlValue[])[] | undefined

  constructor(columns: readonly SqlColumn[], lines: Buffer, rows: number, cursorAt: number | undefined) {
    this.columns = columns
    this.rows = rows
    this.#lines = lines
    // A line of one field may be empty, which readers of lines take for no line.
    this.text = columns.length > 1 && isPlain(lines) ? lines : undefined
    this.position = cursorAt === undefined ? undefined : (valueOfLine(lastLine(lines), cursorAt) ?? undefined)
  }

  get values(): readonly (readonly SqlValue[])[] {
    this.#values ??= columnsOfLines(
      this.#lines.toString('utf8', 0, this.#lines.length - 1).split('\n'),
      this.columns.map(({ type }) => decoderOf(type))
    )
    return this.#values
  }
}

function lastLine(lines: Buffer): string {
  const before = lines.lastIndexOf(NEWLINE, -2)
  return lines.toString('utf8', before + 1, lines.length - 1)
}

/** Whole lines in pieces of so many at the most, each with its count. */
export function* piecesOf(lines: Buffer, maxRows: number): Generator<[piece: Buffer, rows: number]> {
  let from = 0
  let rows = 0
  for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) {
    rows += 1
    if (rows < maxRows && at + 1 < lines.length) continue
    yield [lines.subarray(from, at + 1), rows]
    from = at + 1
    rows = 0
  }
}
