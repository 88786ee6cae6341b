import type { TediousRequest } from './package.ts'

/** Rows that wait at the most; the server is held up until they are taken. */
const WAITING = 2000

/** Rows of a request that come when they want, to be taken when somebody does. */
export class WaitingRows {
  readonly #request: TediousRequest
  #rows: unknown[][] = []
  #isPaused = false
  #end: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined

  constructor(request: TediousRequest) {
    this.#request = request
    request.on('row', (columns) => {
      this.#rows.push(columns.map(({ value }) => value))
      if (this.#rows.length >= WAITING && !this.#isPaused) {
        this.#isPaused = true
        request.pause()
      }
      this.#wake?.()
    })
  }

  /** No more rows come; with an error where that is why. */
  finish(error: unknown): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  /** The rows that are there, once there are some; undefined when there are no more. */
  async take(): Promise<unknown[][] | undefined> {
    while (this.#rows.length === 0 && this.#end === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    if (this.#rows.length === 0) {
      if (this.#end?.error) throw this.#end.error
      return undefined
    }
    const rows = this.#rows
    this.#rows = []
    if (this.#isPaused) {
      this.#isPaused = false
      this.#request.resume()
    }
    return rows
  }
}
