import type { StreamChunk, StreamValue } from '../index.ts'
import { type FieldColumn, OWN_COLUMNS } from './fields.ts'
import { type Block, FileFault } from './formats/format.ts'
import { type FormatName, formatOf } from './formats/index.ts'
import type { FileInputs } from './input.ts'
import type { FoundFile } from './place.ts'
import { compareFiles, type Position, positionText } from './position.ts'
import type { Survey } from './survey.ts'

/** What a chunk holds at the most. */
const CHUNK_ROWS = 10_000
const CHUNK_BLOCKS = 32

interface Slice {
  readonly file: FoundFile
  readonly block: Block
  /** Whether nothing of the file comes after it. */
  readonly isLast: boolean
}

interface Task {
  readonly columns: readonly FieldColumn[]
  readonly format: FormatName
  readonly inputs: FileInputs
  readonly after: Position | undefined
  /** What is to be read after a position. */
  look(after: Position | undefined, signal: AbortSignal): Promise<Survey>
}

/** The records of files one after the other, as far as they are asked for. */
export class Reading {
  readonly #task: Task
  readonly #ended = new AbortController()
  readonly #slices: AsyncGenerator<Slice>
  #slice: Slice | undefined
  /** Rows of the slice that were taken. */
  #taken = 0

  constructor(task: Task, first: Survey) {
    this.#task = task
    this.#slices = this.#all(first)
  }

  /** Up to so many records; undefined where there are no more. The end of the signal ends all of it. */
  async next(maxRows: number, signal: AbortSignal): Promise<StreamChunk | undefined> {
    const stop = () => this.#ended.abort(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await this.#next(Math.min(maxRows, CHUNK_ROWS))
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#slices.return(undefined).catch(() => {})
  }

  async #next(maxRows: number): Promise<StreamChunk | undefined> {
    const { columns } = this.#task
    const values: StreamValue[][] = [...columns, ...OWN_COLUMNS].map(() => [])
    let rows = 0
    let position: Position | undefined
    for (let blocks = 0; rows < maxRows && blocks < CHUNK_BLOCKS; blocks++) {
      if (this.#slice === undefined) this.#slice = await this.#pull()
      if (this.#slice === undefined) break
      const { file, block, isLast } = this.#slice
      const end = Math.min(block.rows.length, this.#taken + maxRows - rows)
      append(values, file, block, this.#taken, end)
      rows += end - this.#taken
      this.#taken = end
      const isTaken = end === block.rows.length
      position = { ...file, row: isTaken && isLast ? undefined : block.rows[end - 1] }
      if (isTaken) this.#slice = undefined
    }
    if (position === undefined) return undefined
    const named = [...columns, ...OWN_COLUMNS].map(({ name, type }) => ({ name, type }))
    return { columns: named, values, rows, position: positionText(position) }
  }

  async #pull(): Promise<Slice | undefined> {
    this.#taken = 0
    const { value, done } = await this.#slices.next()
    return done === true ? undefined : value
  }

  async *#all(first: Survey): AsyncGenerator<Slice> {
    let { ahead, isCut } = first
    for (;;) {
      for (const file of ahead) yield* this.#slicesOf(file)
      const last = ahead.at(-1)
      if (!isCut || last === undefined) return
      ;({ ahead, isCut } = await this.#task.look({ ...last, row: undefined }, this.#ended.signal))
    }
  }

  async *#slicesOf(file: FoundFile): AsyncGenerator<Slice> {
    const { after } = this.#task
    const from = after !== undefined && compareFiles(file, after) === 0 ? (after.row ?? 0) : 0
    let held: Block | undefined
    for await (const block of this.#blocksOf(file, from)) {
      if (held !== undefined) yield { file, block: held, isLast: false }
      held = block
    }
    if (held !== undefined) yield { file, block: held, isLast: true }
  }

  /** What is wrong with a file as a whole is one odd record, so that it is seen, and the files after it are read. */
  async *#blocksOf(file: FoundFile, from: number): AsyncGenerator<Block> {
    const { columns, format, inputs } = this.#task
    const { signal } = this.#ended
    let last = from
    try {
      const reader = await formatOf(format, file.path)
      for await (const block of reader.blocks(inputs.of(file, signal), columns, from)) {
        signal.throwIfAborted()
        last = block.rows.at(-1) ?? last
        yield block
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof FileFault)) throw error
      const odd = `the rest of the file can't be read: ${error.message}`
      yield { rows: [last + 1], odd: [odd], values: columns.map(() => [null]) }
    }
  }
}

function append(to: StreamValue[][], file: FoundFile, block: Block, start: number, end: number): void {
  const width = block.values.length
  for (const [i, column] of block.values.entries()) {
    const target = to[i] as StreamValue[]
    for (let row = start; row < end; row++) target.push(column[row] ?? null)
  }
  const [files, rows, odd, positions] = to.slice(width) as [StreamValue[], StreamValue[], StreamValue[], StreamValue[]]
  const begun = positionText({ ...file, row: 0 }).slice(0, -1)
  for (let at = start; at < end; at++) {
    const row = block.rows[at] as number
    files.push(file.path)
    rows.push(BigInt(row))
    odd.push(block.odd[at] ?? null)
    positions.push(`${begun}${row}`)
  }
}
