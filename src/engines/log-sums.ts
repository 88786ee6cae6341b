import type { Clock } from './clock.ts'

const SUMMED_FOR_MS = 60_000

/** Has what is alike told at once the first time, and then as a sum a minute, until there was none of it for a minute. */
export class LogSums {
  readonly #clock: Pick<Clock, 'after'>
  /** How many of each kind were not told yet. */
  readonly #untold = new Map<string, number>()

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  note(kind: string, tellFirst: () => void, tellSum: (sum: { count: number; seconds: number }) => void): void {
    const untold = this.#untold.get(kind)
    if (untold !== undefined) {
      this.#untold.set(kind, untold + 1)
      return
    }
    tellFirst()
    this.#sumLater(kind, tellSum)
  }

  #sumLater(kind: string, tellSum: (sum: { count: number; seconds: number }) => void): void {
    this.#untold.set(kind, 0)
    this.#clock.after(SUMMED_FOR_MS, () => {
      const count = this.#untold.get(kind) as number
      this.#untold.delete(kind)
      if (count === 0) return
      tellSum({ count, seconds: SUMMED_FOR_MS / 1000 })
      this.#sumLater(kind, tellSum)
    })
  }
}
