/**
 * What a query is at: it waits for its turn, since others run; or the data are brought from where they lie; or SQL reads them.
 */
export const STEPS = ['waiting', 'fetching', 'reading'] as const

export interface QueryStep {
  readonly doing: (typeof STEPS)[number]
  /** Of the statement, as far as DuckDB can tell; null where it can't. */
  readonly percent: number | null
}

/** Called whenever a query comes to another step, or further in it. */
export type OnStep = (step: QueryStep) => void
