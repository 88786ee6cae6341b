import { Problem } from '../../../errors.ts'

/** What one transaction takes: more would keep others waiting. */
const MAX_TOGETHER = 200
/** So many wait before another transaction is begun beside one that is under way: with fewer it costs more than it brings. */
const WORTH_ANOTHER = 8

interface Limits {
  /** Items that wait at the same time, at most. */
  readonly maxWaiting: number
  /** Transactions at the same time: of a server, which answers one while this process works on another, two are faster. */
  readonly maxWriting: number
}

interface Waiting<T> {
  readonly items: readonly T[]
  resolve(): void
  reject(error: unknown): void
}

/**
 * Writes what several callers bring at the same time in one go. Where that fails, each is tried by itself, so that nobody
 * fails because of another.
 */
export class SharedWrites<T> {
  readonly #write: (items: readonly T[]) => Promise<void>
  readonly #limits: Limits
  #waiting: Waiting<T>[] = []
  #count = 0
  #writing = 0

  constructor(write: (items: readonly T[]) => Promise<void>, limits: Limits) {
    this.#write = write
    this.#limits = limits
  }

  /** Resolves when the items are written. */
  write(items: readonly T[]): Promise<void> {
    if (this.#count + items.length > this.#limits.maxWaiting) {
      return Promise.reject(new Problem('overloaded', { headers: { 'retry-after': '1' } }))
    }
    this.#count += items.length
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject })
      void this.#writeAll()
    })
  }

  #isDue(): boolean {
    if (this.#writing === 0) return this.#waiting.length > 0
    return this.#writing < this.#limits.maxWriting && this.#waiting.length >= WORTH_ANOTHER
  }

  async #writeAll(): Promise<void> {
    while (this.#isDue()) {
      this.#writing++
      await this.#writeTogether(this.#next())
      this.#writing--
    }
  }

  #next(): Waiting<T>[] {
    let size = 0
    const end = this.#waiting.findIndex(({ items }, at) => {
      size += items.length
      return at > 0 && size > MAX_TOGETHER
    })
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }

  async #writeTogether(some: readonly Waiting<T>[]): Promise<void> {
    try {
      await this.#write(some.flatMap(({ items }) => items))
    } catch (error) {
      if (some.length > 1) for (const one of some) await this.#writeTogether([one])
      else for (const { items, reject } of some) this.#settle(items, () => reject(error))
      return
    }
    for (const { items, resolve } of some) this.#settle(items, resolve)
  }

  #settle(items: readonly T[], tell: () => void): void {
    this.#count -= items.length
    tell()
  }
}
