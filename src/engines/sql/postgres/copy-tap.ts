import { EventEmitter } from 'node:events'
import type pg from 'pg'
import type { CopyOut } from './copy-out.ts'

/** The letter before a row of a COPY; after it comes the length of the rest, which counts itself. */
const ROW = 0x64
const HEADER_BYTES = 5
const LENGTH_BYTES = 4
const NOTHING = Buffer.alloc(0)

/**
 * Stands between the socket and the driver, and takes the rows of a COPY out of what comes: the driver would make two objects of
 * each, which cost more than all else that is done with it. Whatever is no such row goes on to the driver, byte for byte.
 */
export class CopyTap {
  /** Where rows go while it is open. */
  copy: CopyOut | undefined
  readonly #pass: (bytes: Buffer) => void
  /** The beginning of a header whose rest is still to come. */
  #header: Buffer = NOTHING
  /** How much is still to come of a message. */
  #left = 0
  #isRow = false

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass
  }

  /** Takes what the socket has read. */
  hear(chunk: Buffer): void {
    const bytes = this.#header.length === 0 ? chunk : Buffer.concat([this.#header, chunk])
    this.#header = NOTHING
    /** What is before `at` and not before `from` is for the driver, and has not been passed on. */
    let from = 0
    let at = 0
    while (at < bytes.length) {
      if (this.#left === 0) {
        if (bytes.length - at < HEADER_BYTES) break
        const length = bytes.readUInt32BE(at + 1)
        this.#isRow = bytes[at] === ROW && this.copy?.isOpen === true
        this.#left = Math.max(length - LENGTH_BYTES, 0) + (this.#isRow ? 0 : HEADER_BYTES)
        if (this.#isRow) {
          this.#passOn(bytes, from, at)
          at += HEADER_BYTES
          from = at
        }
      }
      const to = Math.min(at + this.#left, bytes.length)
      this.#left -= to - at
      if (this.#isRow) {
        this.copy?.take(bytes, at, to, this.#left === 0)
        from = to
      }
      at = to
    }
    this.#header = bytes.subarray(at)
    this.#passOn(bytes, from, at)
  }

  #passOn(bytes: Buffer, from: number, to: number): void {
    if (from < to) this.#pass(bytes.subarray(from, to))
  }
}

/** Lets a client that is not connected yet hear its server through a tap. */
export function tapCopies(client: pg.Client): CopyTap {
  const { connection } = client as unknown as { connection: { attachListeners(stream: EventEmitter): void } }
  const heard = new EventEmitter()
  const tap = new CopyTap((bytes) => heard.emit('data', bytes))
  // Called once, with the stream that messages come from: that of the encryption where there is one.
  const listen = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    listen(heard)
    stream.on('data', (chunk: Buffer) => tap.hear(chunk))
  }
  return tap
}
