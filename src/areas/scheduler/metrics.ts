import type { Clock } from '../../engines/clock.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import { metricText } from '../../http/metric-text.ts'
import type { SchedulerService } from './body.ts'
import { conditionOf } from './health.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

/** No number has a schedule as a label: there may be many thousands. */
export async function renderSchedulerMetrics(
  { metadata, clock }: Needs,
  service: Pick<SchedulerService, 'totals'> | undefined
): Promise<string> {
  const nowMs = clock.now()
  const condition = await conditionOf(metadata.db, nowMs)
  const late = condition.waitingSince === undefined ? 0 : nowMs - Date.parse(condition.waitingSince)
  const gauge = (name: string, help: string, value: number) => metricText(name, 'gauge', help, [{ value }])
  return [
    metricText('millrace_schedules', 'gauge', 'Schedules by whether they are enabled or paused', [
      { labels: { state: 'enabled' }, value: condition.enabled },
      { labels: { state: 'paused' }, value: condition.paused }
    ]),
    gauge('millrace_schedules_failing', 'Enabled schedules whose last run failed', condition.failing),
    gauge(
      'millrace_schedules_paused_by_failures',
      'Schedules that were paused by failures',
      condition.pausedByFailures
    ),
    gauge('millrace_schedule_runs_open', 'Runs of schedules that wait or are under way', condition.open),
    gauge('millrace_schedule_due_missed', 'Due times of the last day that no server was there for', condition.missed),
    gauge(
      'millrace_schedule_due_lateness_seconds',
      'How long due times wait to be dealt with, from 30 s on',
      late / 1000
    ),
    gauge(
      'millrace_schedule_runs_wait_seconds',
      'How long the run has waited that should have begun first',
      condition.runsWaitSince === undefined ? 0 : Math.max(0, nowMs - Date.parse(condition.runsWaitSince)) / 1000
    ),
    metricText(
      'millrace_schedule_runs_ended_total',
      'counter',
      'Runs of schedules that ended, by state',
      (service?.totals.ended ?? []).map(({ state, runs }) => ({ labels: { state }, value: runs }))
    )
  ].join('')
}
