const BOUNDS_S = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

interface Series {
  readonly labels: string
  /** One for each bound, and one for what is longer. */
  readonly buckets: Float64Array
  sumS: number
}

/**
 * How long requests took, as a Prometheus histogram. Written by hand because it stands in the path of every request:
 * the client library checks and hashes the labels anew each time, which costs more than the rest of the gate.
 */
export class Durations {
  readonly #series = new Map<string, Series>()

  observe(method: string, route: string, status: number, elapsedMs: number): void {
    const key = `${method} ${status} ${route}`
    let series = this.#series.get(key)
    if (series === undefined) {
      const labels = `method="${method}",route="${route.replace(/["\\\n]/g, '\\$&')}",status="${status}"`
      series = { labels, buckets: new Float64Array(BOUNDS_S.length + 1), sumS: 0 }
      this.#series.set(key, series) // as many as there are routes and statuses
    }
    const seconds = elapsedMs / 1000
    let bucket = 0
    while (bucket < BOUNDS_S.length && seconds > (BOUNDS_S[bucket] as number)) bucket++
    series.buckets[bucket] = (series.buckets[bucket] as number) + 1
    series.sumS += seconds
  }

  /** The text format, in which each bucket counts everything up to its bound. */
  render(name: string, help: string): string {
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
    for (const { labels, buckets, sumS } of this.#series.values()) {
      let count = 0
      buckets.forEach((inBucket, index) => {
        count += inBucket
        lines.push(`${name}_bucket{${labels},le="${BOUNDS_S[index] ?? '+Inf'}"} ${count}`)
      })
      lines.push(`${name}_sum{${labels}} ${sumS}`, `${name}_count{${labels}} ${count}`)
    }
    return `${lines.join('\n')}\n`
  }
}
