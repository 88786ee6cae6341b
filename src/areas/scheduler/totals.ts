import type { Bus } from '../../engines/bus/index.ts'

/** What this process has seen end, by state, for metrics. */
export class RunTotals {
  readonly #ended = new Map<string, number>()

  constructor(bus: Bus) {
    bus.subscribe('schedule-run.ended', ({ state }) => this.#ended.set(state, (this.#ended.get(state) ?? 0) + 1))
  }

  get ended(): readonly { readonly state: string; readonly runs: number }[] {
    return [...this.#ended].map(([state, runs]) => ({ state, runs }))
  }
}
