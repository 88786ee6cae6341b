/** Orders work on a source: either several shared works at the same time, or a single exclusive one. */
export class SourceGate {
  readonly #underWay = new Map<string, Set<Promise<unknown>>>()
  readonly #alone = new Map<string, Promise<unknown>>()

  /** Shared work: runs beside other shared work. */
  async beside<T>(sourceId: string, work: () => Promise<T>): Promise<T> {
    while (this.#alone.has(sourceId)) await this.#alone.get(sourceId)
    const running = work()
    const others = this.#underWay.get(sourceId) ?? new Set()
    this.#underWay.set(sourceId, others.add(running))
    try {
      return await running
    } finally {
      others.delete(running)
      if (others.size === 0) this.#underWay.delete(sourceId)
    }
  }

  /**
   * Exclusive work: runs when all work under way has ended; later work waits for it. Begins at once where there is
   * none.
   */
  async alone<T>(sourceId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#underWay.has(sourceId) && !this.#alone.has(sourceId)) return work()
    const before = [this.#alone.get(sourceId), ...(this.#underWay.get(sourceId) ?? [])]
    const running = Promise.allSettled(before).then(work)
    const settled = running.catch(() => {})
    this.#alone.set(sourceId, settled)
    try {
      return await running
    } finally {
      if (this.#alone.get(sourceId) === settled) this.#alone.delete(sourceId)
    }
  }
}
