import { Histogram, histogramHead, labelValue } from './metric-text.ts'

const BOUNDS_S = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

/**
 * How long requests took, as a Prometheus histogram. Written by hand because it stands in the path of every request:
 * the client library checks and hashes the labels anew each time, which costs more than the rest of the gate.
 */
export class Durations {
  readonly #series = new Map<string, { readonly labels: string; readonly histogram: Histogram }>()

  observe(method: string, route: string, status: number, elapsedMs: number): void {
    const key = `${method} ${status} ${route}`
    let series = this.#series.get(key)
    if (series === undefined) {
      const labels = `method="${method}",route="${labelValue(route)}",status="${status}"`
      series = { labels, histogram: new Histogram(BOUNDS_S) }
      this.#series.set(key, series) // bounded: as many as there are routes and statuses
    }
    series.histogram.observe(elapsedMs / 1000)
  }

  /** The text format, in which each bucket counts everything up to its bound. */
  render(name: string, help: string): string {
    const lines = [...this.#series.values()].flatMap(({ labels, histogram }) => histogram.lines(name, labels))
    return `${[histogramHead(name, help), ...lines].join('\n')}\n`
  }
}
