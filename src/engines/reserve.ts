import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'

/** Some hundred small commits. */
const RESERVE_BYTES = 4 * 1024 * 1024
const PIECE_BYTES = 64 * 1024

/**
 * Room beside a database for the commits that make room. A deletion has to be written too: on a disk without a free
 * byte nothing could be deleted. The room is given up for the moment of one commit, and what is left of it
 * taken again at once, before others fill it.
 */
export class Reserve {
  readonly #file: string
  #isWhole = false

  constructor(database: string) {
    this.#file = `${database}-reserve`
  }

  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Does what failed on a full disk once more, with the room. */
  use<T>(work: () => T): T {
    this.release()
    try {
      return work()
    } finally {
      this.fill()
    }
  }

  release(): void {
    this.#isWhole = false
    rmSync(this.#file, { force: true })
  }

  /** Takes as much as there is; never fails. */
  fill(): void {
    try {
      const there = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
      if (there < RESERVE_BYTES) this.#write(there)
      this.#isWhole = true
    } catch {
      // Full still, or nothing can be written here at all, which whoever writes next will say better.
    }
  }

  /** What can't be compressed: some file systems would keep no room for anything else. */
  #write(from: number): void {
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    const file = openSync(this.#file, 'a', 0o600)
    try {
      for (let at = from; at < RESERVE_BYTES; ) {
        at += writeSync(file, randomFillSync(piece), 0, Math.min(PIECE_BYTES, RESERVE_BYTES - at))
      }
    } finally {
      closeSync(file)
    }
  }
}
