import type { Written } from '../engines/series/index.ts'
import { Histogram } from '../http/metric-text.ts'

export const QUERY_KINDS = ['series', 'sql'] as const
export type QueryKind = (typeof QUERY_KINDS)[number]

export const QUERY_OUTCOMES = ['answered', 'failed'] as const
export type QueryOutcome = (typeof QUERY_OUTCOMES)[number]

const BOUNDS_S = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60]

/** Counts what this process has done with data since it started; the metrics read the counts. */
export class DataActivity {
  pointsWritten = 0
  pointsRefused = 0
  readonly #queries = new Map<string, Histogram>()

  constructor() {
    for (const kind of QUERY_KINDS) {
      for (const outcome of QUERY_OUTCOMES) this.#queries.set(`${kind} ${outcome}`, new Histogram(BOUNDS_S))
    }
  }

  wrote({ accepted, rejected }: Pick<Written, 'accepted' | 'rejected'>): void {
    this.pointsWritten += accepted
    this.pointsRefused += rejected
  }

  /** To be called when a query begins; call the returned function when it ends. */
  asked(kind: QueryKind): (outcome: QueryOutcome) => void {
    const startedMs = performance.now()
    let isOver = false
    return (outcome) => {
      if (isOver) return
      isOver = true
      this.times(kind, outcome).observe((performance.now() - startedMs) / 1000)
    }
  }

  times(kind: QueryKind, outcome: QueryOutcome): Histogram {
    return this.#queries.get(`${kind} ${outcome}`) as Histogram
  }
}
