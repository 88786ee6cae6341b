import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'

/** Enough for some hundred small commits. */
const RESERVE_BYTES = 4 * 1024 * 1024
const PIECE_BYTES = 64 * 1024
/** A disk with less free space is as good as full. */
const ROOM_BYTES = 1024 * 1024

/**
 * Room on the disk for commits that delete something. A deletion has to be written too: on a disk without a free byte
 * nothing could be deleted. The room is released for one commit, and what is left of it taken again at once, before
 * others fill it.
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

  /** Repeats work that failed on a full disk, with the reserve released. */
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

  /**
   * Fills the reserve and tests whether there is more room, by writing: the free space does not tell what this user
   * may take.
   */
  requireRoom(): void {
    this.#complete()
    const trial = `${this.#file}-trial`
    try {
      append(trial, ROOM_BYTES)
    } finally {
      rmSync(trial, { force: true })
    }
  }

  /** Fills the reserve as far as there is room; never fails. */
  fill(): void {
    try {
      this.#complete()
    } catch {
      // The disk is still full or not writable at all; the next writer will report that better.
    }
  }

  #complete(): void {
    const there = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
    if (there < RESERVE_BYTES) append(this.#file, RESERVE_BYTES - there)
    this.#isWhole = true
  }
}

/** Appends random bytes: a file system that compresses would reserve no room for others. */
function append(path: string, bytes: number): void {
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  const file = openSync(path, 'a', 0o600)
  try {
    for (let left = bytes; left > 0; ) left -= writeSync(file, randomFillSync(piece), 0, Math.min(PIECE_BYTES, left))
  } finally {
    closeSync(file)
  }
}
