import type { Clock } from '../clock.ts'
import type { Worker } from './index.ts'

interface Parts {
  readonly clock: Clock
  readonly everyMs: number
  isNeeded(): Promise<boolean>
}

/**
 * Recurring work that has nothing to do: this process then takes no such job, and asks with a plain read, as often as the
 * work recurs, whether it is needed again. The job stays due meanwhile, so whichever replica finds work takes it at once.
 */
export class Rest {
  readonly #parts: Parts
  /** When to ask again; undefined while there is work, or nobody has asked yet. */
  #untilMs: number | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The rest begins with a run that had nothing to do, which also forgets how the last one failed. */
  around(worker: Worker<null>): Worker<null> {
    return async (job) => {
      if (await this.#parts.isNeeded()) return worker(job)
      this.#begin()
      return null
    }
  }

  async lasts(): Promise<boolean> {
    const { clock, isNeeded } = this.#parts
    if (this.#untilMs === undefined) return false
    if (clock.elapsed() < this.#untilMs) return true
    // Where it can't be told, the job is taken and fails where people see it.
    if (await isNeeded().catch(() => true)) this.#untilMs = undefined
    else this.#begin()
    return this.#untilMs !== undefined
  }

  #begin(): void {
    this.#untilMs = this.#parts.clock.elapsed() + this.#parts.everyMs
  }
}
