import { Worker } from 'node:worker_threads'
import type { Suggestion } from './detect.ts'

const MAX_MS = 30_000
const MAX_MEMORY_MB = 256

/** Rows of texts, or that there are no more. */
export type Told = readonly (readonly (string | null)[])[] | 'end'
/** The suggestions for each column. */
export type Said = readonly (readonly Suggestion[])[]

/** Looks at the columns of one sample on a thread of its own, which ends with it. */
export class ColumnLook implements AsyncDisposable {
  readonly #worker: Worker
  readonly #result = Promise.withResolvers<Said>()
  readonly #late: NodeJS.Timeout

  constructor(names: readonly string[]) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: names,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB }
    })
    this.#worker.once('message', (said: Said) => this.#result.resolve(said))
    this.#worker.once('error', (error) => this.#result.reject(error))
    this.#worker.once('exit', () => this.#result.reject(new Error('The thread of the detectors has ended')))
    this.#late = setTimeout(
      () => this.#result.reject(new Error(`The detectors took longer than ${MAX_MS / 1000} s`)),
      MAX_MS
    )
    // Told to whoever asks for the result, and to nobody where nobody does.
    this.#result.promise.catch(() => {})
  }

  add(rows: Exclude<Told, 'end'>): void {
    this.#worker.postMessage(rows satisfies Told)
  }

  /** The suggestions for each column, in the order of the names. */
  result(): Promise<Said> {
    this.#worker.postMessage('end' satisfies Told)
    return this.#result.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#late)
    await this.#worker.terminate()
  }
}
