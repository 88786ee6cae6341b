import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { metricText } from './metric-text.ts'

const PRECISION_MS = 10

/** The names and meanings that dashboards know from other servers. */
const SHOWN = {
  nodejs_eventloop_lag_seconds: 'Lag of the event loop while this was asked',
  nodejs_eventloop_lag_min_seconds: 'Shortest delay of the event loop since this was last asked',
  nodejs_eventloop_lag_max_seconds: 'Longest delay of the event loop since this was last asked',
  nodejs_eventloop_lag_mean_seconds: 'Mean of the delays of the event loop since this was last asked',
  nodejs_eventloop_lag_stddev_seconds: 'Standard deviation of the delays of the event loop since this was last asked',
  nodejs_eventloop_lag_p50_seconds: 'Median of the delays of the event loop since this was last asked',
  nodejs_eventloop_lag_p90_seconds: '90th percentile of the delays of the event loop since this was last asked',
  nodejs_eventloop_lag_p99_seconds: '99th percentile of the delays of the event loop since this was last asked'
}
type Name = keyof typeof SHOWN

type Measured = Omit<Record<Name, number>, 'nodejs_eventloop_lag_seconds'>

export const EVENT_LOOP_METRICS = Object.keys(SHOWN) as Name[]

/**
 * Delays of the event loop. The client library reports them too, but where nothing was measured yet, as at the first
 * scrape or with two at once, it reports the largest number there is.
 */
export class EventLoopLag {
  readonly #delays = monitorEventLoopDelay({ resolution: PRECISION_MS })
  #measured: Measured | undefined

  constructor() {
    this.#delays.enable()
  }

  async render(): Promise<string> {
    const startedMs = performance.now()
    await nextTurn()
    const lagS = (performance.now() - startedMs) / 1000
    while (this.#measured === undefined && this.#delays.count === 0) await wait(PRECISION_MS)
    if (this.#delays.count > 0) this.#measured = this.#read()
    const values = { nodejs_eventloop_lag_seconds: lagS, ...(this.#measured as Measured) }
    return EVENT_LOOP_METRICS.map((name) => metricText(name, 'gauge', SHOWN[name], [{ value: values[name] }])).join('')
  }

  #read(): Measured {
    const delays = this.#delays
    const [min, max, mean, stddev] = [delays.min, delays.max, delays.mean, delays.stddev]
    const [p50, p90, p99] = [50, 90, 99].map((percent) => delays.percentile(percent)) as [number, number, number]
    delays.reset()
    return {
      nodejs_eventloop_lag_min_seconds: min / 1e9,
      nodejs_eventloop_lag_max_seconds: max / 1e9,
      nodejs_eventloop_lag_mean_seconds: mean / 1e9,
      nodejs_eventloop_lag_stddev_seconds: stddev / 1e9,
      nodejs_eventloop_lag_p50_seconds: p50 / 1e9,
      nodejs_eventloop_lag_p90_seconds: p90 / 1e9,
      nodejs_eventloop_lag_p99_seconds: p99 / 1e9
    }
  }
}
