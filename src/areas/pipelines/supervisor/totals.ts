import { Histogram } from '../../../http/metric-text.ts'
import { emptyLedger, type Ledger } from '../protocol/ledger.ts'
import type { PipelineState } from '../store/states.ts'

const BOUNDS_S = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120]
const OUTCOMES = ['completed', 'stopped', 'failed'] as const
const KINDS = ['normal', 'replay'] as const
export type RunKind = (typeof KINDS)[number]

/** Processes that end again and again: so many within so long. */
const MANY_DEATHS = 3
const RECENT_MS = 600_000

/** What this process has done with pipelines since it started. */
export class Totals {
  readonly ledger: Ledger = emptyLedger()
  readonly checkpoints = new Histogram(BOUNDS_S)
  readonly #ended = new Map<string, number>()
  /** Runs that failed and are tried again. */
  restarts = 0
  /** Processes of pipelines that nobody here ended. */
  deaths = 0
  #deathsMs: number[] = []

  /** What a run is now that was under way. */
  entered(kind: RunKind, state: PipelineState): void {
    if (state === 'starting') this.restarts += 1
    else this.#ended.set(`${kind} ${state}`, (this.#ended.get(`${kind} ${state}`) ?? 0) + 1)
  }

  get ended() {
    return KINDS.flatMap((kind) =>
      OUTCOMES.map((outcome) => ({ kind, outcome, runs: this.#ended.get(`${kind} ${outcome}`) ?? 0 }))
    )
  }

  /** A run has committed: what it has counted since the commit before. */
  committed(before: Ledger, now: Ledger): void {
    for (const count of Object.keys(this.ledger) as (keyof Ledger)[]) {
      this.ledger[count] += Math.max(0, now[count] - before[count])
    }
  }

  died(nowMs: number): void {
    this.deaths += 1
    this.#deathsMs = [...this.#deathsMs, nowMs].slice(-MANY_DEATHS)
  }

  /** Whether processes end again and again. */
  keepDying(nowMs: number): boolean {
    return this.#deathsMs.filter((ms) => nowMs - ms < RECENT_MS).length >= MANY_DEATHS
  }
}
