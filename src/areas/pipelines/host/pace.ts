/** Of the time that a small batch took: so many lanes can have little to do without a processor being busy. */
const REST_FACTOR = 20
const MAX_REST_MS = 1000

/**
 * Small batches that come one by one are let gather for a moment, the longer the busier the machine is: each costs as much as one
 * a hundred times its size.
 */
export class Pace {
  #notBeforeMs = 0

  took(ms: number, isQuiet: boolean): void {
    this.#notBeforeMs = isQuiet ? performance.now() + Math.min(ms * REST_FACTOR, MAX_REST_MS) : 0
  }

  /** Until it is time for the next one, or `sooner` comes. */
  async wait(sooner: Promise<void>): Promise<void> {
    const restMs = this.#notBeforeMs - performance.now()
    if (restMs <= 0) return
    const rested = Promise.withResolvers<void>()
    const timer = setTimeout(() => rested.resolve(), restMs)
    await Promise.race([rested.promise, sooner])
    clearTimeout(timer)
  }
}
