import { ChunkBuilder } from '../chunk.ts'
import { DEFAULT_CHUNK_ROWS } from '../limits.ts'
import type { ChangesChunk } from './index.ts'
import type { ChangeRecord, RecordForm } from './records.ts'

/** Where a record stands. */
export interface RecordPlace {
  /** As `_position` has it. */
  readonly text: string
  /** When it was committed. */
  readonly time: string
}

/** Puts records together into chunks of the same columns. `position` is what to go on from after the last record. */
export class ChangeChunks {
  readonly #position: () => string
  #open: { readonly form: RecordForm; readonly chunks: ChunkBuilder } | undefined

  constructor(position: () => string) {
    this.#position = position
  }

  /** What must be given before records of this form can be added. */
  *turnTo(form: RecordForm): Generator<ChangesChunk> {
    if (this.#open?.form === form) return
    yield* this.rest()
    this.#open = { form, chunks: new ChunkBuilder(form.columns, DEFAULT_CHUNK_ROWS, undefined) }
  }

  add({ op, values, before, unchanged }: ChangeRecord, { text, time }: RecordPlace): void {
    this.#open?.chunks.add([...values, op, text, time, before, unchanged])
  }

  *full(): Generator<ChangesChunk> {
    if (this.#open !== undefined) yield* this.#given(this.#open.chunks.takeFull())
  }

  *rest(): Generator<ChangesChunk> {
    if (this.#open !== undefined) yield* this.#given(this.#open.chunks.takeRest())
  }

  *#given(chunks: ReturnType<ChunkBuilder['takeFull']>): Generator<ChangesChunk> {
    for (const { columns, values, rows } of chunks) {
      yield { columns, values, rows, keys: this.#open?.form.keys ?? [], position: this.#position() }
    }
  }
}

export function emptyChunk(position: string): ChangesChunk {
  return { columns: [], values: [], rows: 0, keys: [], position }
}
