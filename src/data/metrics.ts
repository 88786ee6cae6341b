import { histogramHead, metricText } from '../http/metric-text.ts'
import type { MetricsPart } from '../http/metrics.ts'
import { type DataActivity, QUERY_KINDS, QUERY_OUTCOMES } from './activity.ts'

const TIMES = 'millrace_query_duration_seconds'

/** Metrics of this process alone. */
export function dataMetrics(activity: DataActivity): MetricsPart {
  const counter = (name: string, help: string, value: number) => metricText(name, 'counter', help, [{ value }])
  return {
    name: 'data',
    async render() {
      const times = QUERY_KINDS.flatMap((kind) =>
        QUERY_OUTCOMES.flatMap((outcome) =>
          activity.times(kind, outcome).lines(TIMES, `kind="${kind}",outcome="${outcome}"`)
        )
      )
      return [
        counter('millrace_points_written_total', 'Points that were written and kept', activity.pointsWritten),
        counter('millrace_points_refused_total', 'Points of writes that were not taken', activity.pointsRefused),
        `${histogramHead(TIMES, 'Time from a question to the end of its answer, of time series and of SQL')}\n`,
        `${times.join('\n')}\n`
      ].join('')
    }
  }
}
