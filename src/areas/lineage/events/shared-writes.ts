import { Problem } from '../../../errors.ts'

/** What one transaction takes: more would keep others waiting. */
const MAX_TOGETHER = 200

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
  readonly #maxWaiting: number
  #waiting: Waiting<T>[] = []
  #count = 0
  #isWriting = false

  /** `maxWaiting` items wait at the same time, at most. */
  constructor(write: (items: readonly T[]) => Promise<void>, maxWaiting: number) {
    this.#write = write
    this.#maxWaiting = maxWaiting
  }

  /** Resolves when the items are written. */
  write(items: readonly T[]): Promise<void> {
    if (this.#count + items.length > this.#maxWaiting) {
      return Promise.reject(new Problem('overloaded', { headers: { 'retry-after': '1' } }))
    }
    this.#count += items.length
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      await this.#writeTogether(this.#next())
    }
    this.#isWriting = false
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
