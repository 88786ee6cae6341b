import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'

/** Some hundred small commits. */
const RESERVE_BYTES = 4 * 1024 * 1024
const PIECE_BYTES = 64 * 1024
/** A disk with less is as good as full. */
const ROOM_BYTES = 1024 * 1024

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

  /** Completes it and tries whether there is room for more, by writing: how much is free does not say what this user may take. */
  requireRoom(): void {
    this.#complete()
    const trial = `${this.#file}-trial`
    try {
      append(trial, ROOM_BYTES)
    } finally {
      rmSync(trial, { force: true })
    }
  }

  /** Takes as much as there is; never fails. */
  fill(): void {
    try {
      this.#complete()
    } catch {
      // Full still, or nothing can be written here at all, which whoever writes next will say better.
    }
  }

  #complete(): void {
    const there = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
    if (there < RESERVE_BYTES) append(this.#file, RESERVE_BYTES - there)
    this.#isWhole = true
  }
}

/** What can't be compressed: some file systems would keep no room for anything else. */
function append(path: string, bytes: number): void {
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  const file = openSync(path, 'a', 0o600)
  try {
    for (let left = bytes; left > 0; ) left -= writeSync(file, randomFillSync(piece), 0, Math.min(PIECE_BYTES, left))
  } finally {
    closeSync(file)
  }
}
