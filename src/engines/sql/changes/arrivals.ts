/** While this much waits to be taken, the connection is not read. */
const MAX_WAITING_BYTES = 8 << 20

interface Pausable {
  pause(): void
  resume(): void
}

/** What has arrived of a log and waits to be taken. */
export class Arrivals<T> {
  readonly #connection: Pausable
  #waiting: T[] = []
  #waitingBytes = 0
  #isPaused = false
  #error: unknown
  #wake: (() => void) | undefined

  constructor(connection: Pausable) {
    this.#connection = connection
  }

  get hasMore(): boolean {
    return this.#waiting.length > 0
  }

  get hasFailed(): boolean {
    return this.#error !== undefined
  }

  push(item: T, bytes: number): void {
    this.#waiting.push(item)
    this.#waitingBytes += bytes
    if (this.#waitingBytes >= MAX_WAITING_BYTES && !this.#isPaused) {
      this.#isPaused = true
      this.#connection.pause()
    }
    this.#wake?.()
  }

  /** Nothing more arrives; who takes is told why when nothing waits any more. */
  fail(error: unknown): void {
    this.#error ??= error
    this.#wake?.()
  }

  /** All that waits, as soon as there is something. */
  async take(): Promise<readonly T[]> {
    while (this.#waiting.length === 0) {
      if (this.#error !== undefined) throw this.#error
      this.#readOn()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const taken = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    this.#readOn()
    return taken
  }

  #readOn(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#connection.resume()
  }
}
