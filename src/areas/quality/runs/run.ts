import type { DataPlane } from '../../../data/plane.ts'
import type { QueryStep } from '../../../data/step.ts'
import { Problem } from '../errors.ts'
import type { Cause, RunKind } from '../words.ts'

type Watched = Pick<DataPlane, 'query' | 'session' | 'describe' | 'lineage'>

/** What is known of a run from its beginning. */
export interface RunFacts {
  /** Of an evaluation, the one that its results have too. */
  readonly id: string
  readonly kind: RunKind
  readonly dataset: string
  readonly cause: Cause
  /** The user; null where it began by itself. */
  readonly startedBy: string | null
}

/** How far a run is. */
export interface Progress extends QueryStep {
  /** Rules that are answered, or columns that were looked at. */
  readonly done: number
  /** Null while it is not known. */
  readonly total: number | null
}

/** Who has cancelled a run. */
export interface Cancellation {
  readonly name: string
}

/** Something that reads data and may take long: it says how far it is, and can be cancelled. */
export class Run {
  readonly facts: RunFacts
  readonly startedAt: string
  readonly #cancelling = new AbortController()
  #progress: Progress = { doing: 'waiting', percent: null, done: 0, total: null }
  #cancellation: Cancellation | undefined

  constructor(facts: RunFacts, startedAt: string) {
    this.facts = facts
    this.startedAt = startedAt
  }

  get progress(): Progress {
    return this.#progress
  }

  /** Aborts when the run is cancelled. */
  get signal(): AbortSignal {
    return this.#cancelling.signal
  }

  /** Why it came to nothing, where it was cancelled. */
  get reason(): string | undefined {
    return this.#cancellation && `Cancelled by ${this.#cancellation.name}.`
  }

  expect(total: number): void {
    this.#progress = { ...this.#progress, total }
  }

  readonly settled = (done: number): void => {
    this.#progress = { ...this.#progress, done }
  }

  readonly #step = (step: QueryStep): void => {
    this.#progress = { ...this.#progress, ...step }
  }

  /** The data plane, whose queries tell this run what they are at. */
  watched(plane: Watched): Watched {
    const onStep = this.#step
    return {
      query: (query) => plane.query({ ...query, onStep }),
      session: (data) => plane.session({ ...data, onStep }),
      describe: (reference, signal) => plane.describe(reference, signal, onStep),
      lineage: (question) => plane.lineage(question)
    }
  }

  /** Ends what the run is at. What it has found so far is thrown away by whoever carries it out. */
  cancel(cancellation: Cancellation): void {
    this.#cancellation ??= cancellation
    this.#cancelling.abort()
  }

  /** Does work that has nothing to say once it is cancelled. */
  async orCancelled<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await work(AbortSignal.any([signal, this.signal]))
    } catch (error) {
      if (this.reason === undefined) throw error
      throw new Problem('run_cancelled', { detail: `${this.reason} Nothing was kept; send it again if it is needed.` })
    }
  }
}
