import type { EventEmitter } from 'node:events'

const ROWS_AHEAD = 1_000

export type Row = readonly unknown[]

interface Pausable {
  pause(): void
  resume(): void
}

/** Rows of an answer that wait to be taken. While many wait, the connection is not read. */
export class RowQueue {
  readonly #connection: Pausable
  #rows: Row[] = []
  #isPaused = false
  #isOver = false
  #error: unknown
  #wake: (() => void) | undefined

  constructor(command: EventEmitter, connection: Pausable) {
    this.#connection = connection
    command.on('result', (row: Row) => {
      this.#rows.push(row)
      if (this.#rows.length >= ROWS_AHEAD && !this.#isPaused) {
        this.#isPaused = true
        connection.pause()
      }
      this.#wake?.()
    })
    command.on('error', (error) => {
      this.#error ??= error
      this.#wake?.()
    })
    command.on('end', () => {
      this.#isOver = true
      this.#wake?.()
    })
  }

  /** Takes all waiting rows, at least one; undefined when there are no more. */
  async take(): Promise<readonly Row[] | undefined> {
    while (this.#rows.length === 0) {
      if (this.#error !== undefined) throw this.#error
      if (this.#isOver) return undefined
      this.#continue()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const rows = this.#rows
    this.#rows = []
    this.#continue()
    return rows
  }

  #continue(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#connection.resume()
  }
}
