import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { metricText } from '../../../http/metric-text.ts'
import { SendTotals } from '../deliveries/totals.ts'
import { Totals } from '../evaluation/totals.ts'
import { conditionOf } from './condition.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

interface Counted {
  readonly totals: Totals
  readonly sendTotals: SendTotals
}

/** What is about all rules is the same on every replica; what counts up is what this process has done. */
export async function renderAlertMetrics({ metadata, clock }: Needs, counted?: Counted): Promise<string> {
  const { totals, sendTotals } = counted ?? { totals: new Totals(), sendTotals: new SendTotals() }
  const { rules, alerts, lateMs, channels, waitingMs, waiting } = await conditionOf(metadata.db, clock.now())
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
    metricText(
      'millrace_alert_attempts_total',
      'counter',
      'Attempts at sending messages about alerts',
      Object.entries(sendTotals.counts).map(([outcome, value]) => ({ labels: { outcome }, value }))
    ),
    metricText('millrace_alert_deliveries_waiting', 'gauge', 'Messages about alerts that did not arrive yet', [
      { value: waiting }
    ]),
    metricText('millrace_alert_delivery_waits_seconds', 'gauge', 'How long the message waits that waits longest', [
      { value: waitingMs / 1000 }
    ]),
    metricText('millrace_alert_channels', 'gauge', 'Channels, and those to which nothing could be sent lately', [
      { labels: { state: 'well' }, value: channels.well },
      { labels: { state: 'failing' }, value: channels.failing }
    ]),
    totals.durations.render(
      'millrace_alert_evaluation_duration_seconds',
      'Time for all rules that were evaluated together'
    )
  ].join('')
}
