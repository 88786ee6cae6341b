import { reasonOf } from './budget.ts'
import { DataError } from './errors.ts'

/** Lets a number of queries run and a number wait, first come first served, and turns the rest away. */
export class Gate {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
  }

  /** Waits until it is this query's turn; call `leave` once afterwards. */
  async enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw reasonOf(signal)
    if (this.#running < this.#maxRunning) {
      this.#running++
      return
    }
    if (this.#waiting.size >= this.#maxWaiting) {
      throw new DataError('busy', `${this.#running} queries run and ${this.#waiting.size} wait. Try again in a moment.`)
    }
    await this.#wait(signal)
  }

  leave(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#running--
    else next()
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        this.#waiting.delete(go)
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(go)
        reject(reasonOf(signal))
      }
      this.#waiting.add(go)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }
}
