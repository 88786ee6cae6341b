import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, writevSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Held, heldAt, isTorn, nextFrame } from './log-frame.ts'
import { decodeRecord, encodeRecord, type LogRecord } from './log-records.ts'

/** An append-only file with all points that are in no sealed file yet. */
export class Log {
  readonly path: string
  readonly #fd: number
  #sizeBytes: number
  #syncing = false
  readonly #waiting: {
    readonly upTo: number
    readonly resolve: () => void
    readonly reject: (error: Error) => void
  }[] = []
  #idle: (() => void) | undefined

  /** Appends after `sizeBytes`; cuts off the part of a record that a crash may have left. */
  constructor(path: string, sizeBytes: number) {
    this.path = path
    this.#fd = openSync(path, 'a+', 0o600)
    ftruncateSync(this.#fd, sizeBytes)
    this.#sizeBytes = sizeBytes
    syncFolder(dirname(path))
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Passes the records to the system, all or none; `synced` tells when they are on the disk. */
  append(records: readonly LogRecord[]): void {
    const pieces = encodeAll(records, this.#sizeBytes)
    try {
      this.#sizeBytes += writeAll(this.#fd, pieces)
    } catch (error) {
      ftruncateSync(this.#fd, this.#sizeBytes)
      throw error
    }
  }

  /** Resolves when everything appended before is durable. Many callers share one sync. */
  synced(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ upTo: this.#sizeBytes, resolve, reject })
      this.#sync()
    })
  }

  async close(): Promise<void> {
    if (this.#syncing) await new Promise<void>((resolve) => (this.#idle = resolve))
    closeSync(this.#fd)
  }

  #sync(): void {
    if (this.#syncing || this.#waiting.length === 0) return
    this.#syncing = true
    const upTo = this.#sizeBytes
    fdatasync(this.#fd, (error) => {
      this.#syncing = false
      const later = error === null ? this.#waiting.findIndex((waiter) => waiter.upTo > upTo) : -1
      for (const waiter of this.#waiting.splice(0, later < 0 ? this.#waiting.length : later)) {
        if (error === null) waiter.resolve()
        else waiter.reject(error)
      }
      this.#sync()
      if (!this.#syncing) this.#idle?.()
    })
  }
}

function writeAll(fd: number, pieces: readonly Uint8Array[]): number {
  let rest = pieces.filter((piece) => piece.byteLength > 0)
  let total = 0
  while (rest.length > 0) {
    let written = writevSync(fd, rest.slice(0, 1000))
    total += written
    while (rest.length > 0 && written >= (rest[0] as Uint8Array).byteLength) {
      written -= (rest[0] as Uint8Array).byteLength
      rest = rest.slice(1)
    }
    if (written > 0) rest = [(rest[0] as Uint8Array).subarray(written), ...rest.slice(1)]
  }
  return total
}

/** Makes the names of new and removed files durable. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Encodes records one after the other, the first at `offset`. */
export function encodeAll(records: readonly LogRecord[], offset: number): Uint8Array[] {
  let at = offset
  return records.flatMap((record) => {
    const pieces = encodeRecord(record, at)
    for (const { byteLength } of pieces) at += byteLength
    return pieces
  })
}

/** A part of a log that holds no sound record. */
export interface LostPart {
  readonly offset: number
  readonly sizeBytes: number
  /** What was in this part; undefined where its header is lost too. */
  readonly held: Held | undefined
}

export interface Replayed {
  /** The end of the last sound record; a part of one, left by a crash, may follow. */
  readonly end: number
  readonly lost: readonly LostPart[]
}

/** Calls `take` with every sound record of a log in order, and skips those that are damaged. */
export function replayLog(log: Buffer, take: (record: LogRecord) => void): Replayed {
  const lost: LostPart[] = []
  let end = 0
  for (let offset: number | undefined = 0; offset !== undefined && offset < log.length; ) {
    const found = decodeRecord(log, offset)
    if (found !== undefined) {
      take(found.record)
      end = found.end
      offset = end
      continue
    }
    const next = nextFrame(log, offset)
    if (next === undefined && isTorn(log, offset)) break
    lost.push({ offset, sizeBytes: (next ?? log.length) - offset, held: heldAt(log, offset) })
    offset = next
  }
  return { end, lost }
}
