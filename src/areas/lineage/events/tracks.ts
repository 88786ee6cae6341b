import { SharedWrites } from './shared-writes.ts'

/** Items that wait at the same time in all tracks together, at most. */
const MAX_WAITING = 20_000

/** Writes in some tracks at the same time, and in each one after the other. What has the same name shares a track. */
export class Tracks<T> {
  readonly #tracks: readonly SharedWrites<T>[]

  constructor(count: number, write: (items: readonly T[]) => Promise<void>) {
    this.#tracks = Array.from({ length: count }, () => new SharedWrites(write, Math.floor(MAX_WAITING / count)))
  }

  /** Resolves when the items are written. */
  write(name: string, items: readonly T[]): Promise<void> {
    return (this.#tracks[numberOf(name) % this.#tracks.length] as SharedWrites<T>).write(items)
  }
}

function numberOf(name: string): number {
  let number = 0
  for (let at = 0; at < name.length; at++) number = (number * 31 + name.charCodeAt(at)) >>> 0
  return number
}
