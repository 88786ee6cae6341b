import type { NodeFault } from '../contract/context.ts'
import type { Batch, Source } from '../contract/source.ts'
import { withRetries } from './retry.ts'

const WAIT_MS = 500
/** A batch that comes within this time was there already when the source was asked. */
const AT_HAND_MS = 25

/** A batch with fewer records costs more in statements than in records, and is better put together with others. */
const SMALL_BATCH_ROWS = 1000

export const rowsOf = ({ parts }: Batch): number => parts.reduce((sum, { rows }) => sum + rows, 0)

export const isSmall = (batch: Batch): boolean => rowsOf(batch) < SMALL_BATCH_ROWS

interface Told {
  /** Called with every failure that is tried again. */
  onFault(fault: NodeFault): void
  /** Called when something was read. */
  onRead(): void
}

/** A source with the one batch that is read ahead. */
export class Feed {
  readonly nodeId: string
  readonly source: Source
  readonly #signal: AbortSignal
  readonly #told: Told
  #state: { batch?: Batch; waitedMs?: number; ended?: true; failure?: unknown } = {}
  #askedMs: number | undefined
  /** Resolved by `resume`. While it is there the source is not asked, so that what comes meanwhile comes as one batch. */
  #rest: PromiseWithResolvers<void> | undefined
  /** Resolves when there is a batch, the end, or a failure. */
  ready: Promise<void>

  constructor(nodeId: string, source: Source, signal: AbortSignal, told: Told) {
    this.nodeId = nodeId
    this.source = source
    this.#signal = signal
    this.#told = told
    this.ready = this.#fetch()
  }

  get hasEnded(): boolean {
    return this.#state.ended === true
  }

  /** Whether there was more to read when it looked, rather than something having come since. */
  get isBehind(): boolean {
    const { batch, waitedMs = 0 } = this.#state
    if (batch === undefined || waitedMs >= AT_HAND_MS) return false
    return this.source.gathers !== true || !isSmall(batch)
  }

  /** For how long the source has been asked for a batch. */
  get askedForMs(): number {
    return this.#askedMs === undefined ? 0 : performance.now() - this.#askedMs
  }

  /**
   * The batch that is ready, if one is; the next one is on its way from now on, or, of a quiet source that gathers, from
   * `resume` on.
   */
  take(isQuiet: boolean): Batch | undefined {
    const { batch, failure } = this.#state
    if (failure !== undefined) throw failure
    if (batch === undefined) return undefined
    this.#state = {}
    if (isQuiet && this.source.gathers === true) this.#rest ??= Promise.withResolvers()
    this.ready = this.#fetch()
    return batch
  }

  resume(): void {
    this.#rest?.resolve()
    this.#rest = undefined
  }

  async close(): Promise<void> {
    this.resume()
    await this.ready
    await this.#state.batch?.release()
    await this.source.close()
  }

  async #fetch(): Promise<void> {
    try {
      await this.#rest?.promise
      while (!this.#signal.aborted) {
        const askedMs = performance.now()
        this.#askedMs = askedMs
        const next = await withRetries(() => this.source.next({ waitMs: WAIT_MS, signal: this.#signal }), {
          signal: this.#signal,
          onFault: this.#told.onFault
        })
        // That nothing has come may be because nothing could.
        if (next !== 'idle') this.#told.onRead()
        this.#askedMs = undefined
        if (next === 'ended') this.#state = { ended: true }
        else if (next !== 'idle') this.#state = { batch: next, waitedMs: performance.now() - askedMs }
        else continue
        return
      }
    } catch (error) {
      if (!this.#signal.aborted) this.#state = { failure: error }
    }
  }
}
