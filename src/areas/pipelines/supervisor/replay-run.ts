import type { ReplayOrder } from '../protocol/run-spec.ts'
import type { RunRow } from '../store/rows.ts'
import type { PipelineState } from '../store/states.ts'

/** What a run that puts dead letters through is to do, and what its pipeline is again afterwards. JSON. */
export interface ReplayRun {
  readonly order: ReplayOrder
  readonly was: {
    readonly status: PipelineState
    /** JSON of a `RunError`. */
    readonly error: string | null
    readonly runId: string | null
  }
  readonly tally: Tally
}

/** What of an order could not be put through. */
export interface Tally {
  /** The first of them. */
  readonly skipped: readonly Skipped[]
  readonly skippedCount: number
}

export interface Skipped {
  readonly id: string
  /** Stable: `not_a_record`. */
  readonly code: string
  readonly message: string
}

const MAX_SHOWN = 100

export const replayOf = ({ replay }: Pick<RunRow, 'replay'>): ReplayRun | undefined =>
  replay === null ? undefined : (JSON.parse(replay) as ReplayRun)

export function withSkipped({ skipped, skippedCount }: Tally, more: readonly Skipped[]): Tally {
  return { skipped: [...skipped, ...more].slice(0, MAX_SHOWN), skippedCount: skippedCount + more.length }
}

export const NOTHING_SKIPPED: Tally = { skipped: [], skippedCount: 0 }
