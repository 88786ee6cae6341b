import { Worker } from 'node:worker_threads'
import { compiledCodeEnv } from '../../../engines/compiled-code.ts'

/** What a process is ended by that has taken too much memory: nobody else sends it, so that whoever started it knows. */
export const OUT_OF_MEMORY_SIGNAL = 'SIGUSR2'

/** What the thread that looks is told, in bytes: what the process may take, and what it may until it takes no more than that. */
export type Limits = Float64Array

/**
 * Ends the process where it takes more than it may: DuckDB does not count all of its memory, and a single `repeat` makes
 * gigabytes of text. A thread of its own looks, because the others may be at work for seconds.
 */
export class MemoryLimit {
  readonly #limits: Limits

  constructor(maxBytes: number) {
    this.#limits = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT))
    this.#limits.fill(maxBytes)
    new Worker(new URL('memory-watch.ts', import.meta.url), {
      workerData: this.#limits,
      env: compiledCodeEnv(),
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }
    }).unref()
  }

  /** To less only once it takes no more than that: memory which has been freed is not given back at once. */
  change(maxBytes: number): void {
    this.#limits[0] = maxBytes
    this.#limits[1] = Math.max(maxBytes, this.#limits[1] as number)
  }
}
