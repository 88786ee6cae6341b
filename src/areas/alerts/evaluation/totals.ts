import { Histogram } from '../../../http/metric-text.ts'
import type { Evaluated } from './judging.ts'

const BOUNDS_S = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30]

/** What this process has evaluated. */
export class Totals {
  succeeded = 0
  failed = 0
  /** Of rules that were evaluated together. */
  readonly durations = new Histogram(BOUNDS_S)

  add(evaluated: readonly Pick<Evaluated, 'found'>[], durationMs: number): void {
    const failed = evaluated.filter(({ found }) => 'error' in found).length
    this.failed += failed
    this.succeeded += evaluated.length - failed
    this.durations.observe(durationMs / 1000)
  }
}
