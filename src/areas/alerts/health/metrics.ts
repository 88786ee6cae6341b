import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { metricText } from '../../../http/metric-text.ts'
import { Totals } from '../evaluation/totals.ts'
import { conditionOf } from './condition.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

/** What is about all rules is the same on every replica; what counts up is what this process has done. */
export async function renderAlertMetrics({ metadata, clock }: Needs, totals: Totals = new Totals()): Promise<string> {
  const { rules, alerts, lateMs } = await conditionOf(metadata.db, clock.now())
  const byState = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }))
  return [
    metricText('millrace_alert_rules', 'gauge', 'Alert rules by the state of their worst instance', byState(rules)),
    metricText('millrace_alerts_open', 'gauge', 'Alerts that are not resolved', byState(alerts)),
    metricText('millrace_alert_evaluations_total', 'counter', 'Evaluations of alert rules', [
      { labels: { outcome: 'succeeded' }, value: totals.succeeded },
      { labels: { outcome: 'failed' }, value: totals.failed }
    ]),
    metricText('millrace_alert_evaluation_late_seconds', 'gauge', 'How long the rule waits that is due longest', [
      { value: lateMs / 1000 }
    ]),
    totals.durations.render(
      'millrace_alert_evaluation_duration_seconds',
      'Time for all rules that were evaluated together'
    )
  ].join('')
}
