/** What the driver calls while an answer comes in, of its `Connection` only what is needed here. */
interface DriverConnection {
  query(text: string): void
  readonly stream: { pause(): void; resume(): void }
}

/** What is taken in before the socket is told to wait; what it has read by then still comes. */
interface Limits {
  readonly rows: number
  readonly bytes: number
}

const FIRST_BYTES = 1 << 16
const ROOM_TO_SPARE = 1.1

/**
 * The answer to a COPY, as bytes. Cursors hand out rows by request, which takes a round trip and an object for each row; this
 * is several times as fast. It is handed to the driver as a query and gets its rows past it, from a `CopyTap`. While nobody takes
 * what has come the server waits.
 */
export class CopyOut {
  readonly #text: string
  readonly #limits: Limits
  #connection: DriverConnection | undefined
  #block = Buffer.allocUnsafe(FIRST_BYTES)
  #size = 0
  /** How much of it are whole messages. */
  #whole = 0
  #rows = 0
  #end: { readonly error?: unknown } | undefined
  #wake: (() => void) | undefined

  constructor(text: string, limits: Limits) {
    this.#text = text
    this.#limits = limits
  }

  /** Whether the server may have more to say. */
  get isOpen(): boolean {
    return this.#end === undefined
  }

  /** The messages that have come since the last call, once they are as much as was asked for or all there is; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    while (!this.#isFull && this.#end === undefined) {
      this.#connection?.stream.resume()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#end?.error !== undefined) throw this.#end.error
    if (this.#size === 0) return undefined
    return this.#takeOut(this.#isFull ? this.#whole : this.#size)
  }

  #takeOut(size: number): Buffer {
    const taken = this.#block.subarray(0, size)
    const begun = this.#block.subarray(size, this.#size)
    // The next has about as many bytes: with some to spare it hardly ever has to grow, which would take twice the memory.
    this.#block = Buffer.allocUnsafe(Math.max(FIRST_BYTES, Math.ceil(size * ROOM_TO_SPARE), begun.length))
    this.#size = begun.copy(this.#block)
    this.#whole = 0
    this.#rows = 0
    return taken
  }

  get #isFull(): boolean {
    return this.#rows >= this.#limits.rows || this.#whole >= this.#limits.bytes
  }

  submit(connection: DriverConnection): void {
    this.#connection = connection
    connection.query(this.#text)
  }

  /** A message, or a part of one: PostgreSQL sends one for each row. */
  take(bytes: Buffer, from: number, to: number, isEnd: boolean): void {
    const needed = this.#size + to - from
    if (needed > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#block.length))
      this.#block.copy(larger, 0, 0, this.#size)
      this.#block = larger
    }
    bytes.copy(this.#block, this.#size, from, to)
    this.#size = needed
    if (!isEnd) return
    this.#whole = needed
    this.#rows += 1
    if (!this.#isFull) return
    this.#connection?.stream.pause()
    this.#wake?.()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#finish({})
  }

  handleError(error: unknown): void {
    this.#finish({ error })
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end
    this.#connection?.stream.resume()
    this.#wake?.()
  }
}
