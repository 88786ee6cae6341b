/**
 * Long work is done in parts, and between two parts other work gets its turn. Holders take turns: one with much work
 * gets no more of them than one with little.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>()
  #isTaken = false

  async take<T>(holder: string, work: () => T): Promise<T> {
    if (this.#isTaken) await this.#wait(holder)
    this.#isTaken = true
    try {
      return work()
    } finally {
      setImmediate(() => this.#pass())
    }
  }

  #wait(holder: string): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#waiting.get(holder)
      if (before === undefined) this.#waiting.set(holder, [resolve])
      else before.push(resolve)
    })
  }

  #pass(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#isTaken = false
      return
    }
    const [holder, [begin, ...others]] = next as [string, [() => void, ...(() => void)[]]]
    this.#waiting.delete(holder)
    if (others.length > 0) this.#waiting.set(holder, others) // behind all other holders
    begin()
  }
}
