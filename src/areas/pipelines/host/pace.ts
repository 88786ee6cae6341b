/** A run rests this many times as long as all runs of the host would take for a batch like its last one. */
const REST_FACTOR = 8
const MAX_REST_MS = 2000
/** Where few runs share the host, none rests for long, however long its batches take. */
const MAX_REST_MS_PER_RUN = 40

/**
 * Small batches that come one by one are let gather for a moment, the longer the more pipelines share the host and the busier the
 * machine is: each costs as much as one a hundred times its size.
 */
export class Pace {
  #notBeforeMs = 0
  /** Whether the last batch was a small one that nothing waited behind. */
  isQuiet = false

  took(ms: number, isQuiet: boolean, runs: number): void {
    this.isQuiet = isQuiet
    const restMs = Math.min(ms * runs * REST_FACTOR, runs * MAX_REST_MS_PER_RUN, MAX_REST_MS)
    this.#notBeforeMs = isQuiet ? performance.now() + restMs : 0
  }

  /** Resolves when it is time for the next batch, or when `sooner` resolves. */
  async wait(sooner: Promise<void>): Promise<void> {
    const restMs = this.#notBeforeMs - performance.now()
    if (restMs <= 0) return
    const rested = Promise.withResolvers<void>()
    const timer = setTimeout(() => rested.resolve(), restMs)
    await Promise.race([rested.promise, sooner])
    clearTimeout(timer)
  }
}
