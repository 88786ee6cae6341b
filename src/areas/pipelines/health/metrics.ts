import type { Clock } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { metricText } from '../../../http/metric-text.ts'
import type { Ledger } from '../protocol/ledger.ts'
import type { Supervisor } from '../supervisor/supervisor.ts'
import { Totals } from '../supervisor/totals.ts'
import { conditionOf } from './condition.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

type Supervised = Pick<Supervisor, 'totals' | 'census' | 'lagsMs'>

/** What is told while this process has had nothing to do with pipelines. */
const IDLE: Supervised = {
  totals: new Totals(),
  census: async () => ({ count: 0, residentBytes: 0 }),
  lagsMs: () => []
}

const COUNTED = [
  ['read', 'recordsRead', 'Records that sources have read'],
  ['written', 'recordsWritten', 'Records that sinks have written'],
  ['filtered', 'recordsFiltered', 'Records dropped on purpose'],
  ['dead_lettered', 'recordsDeadLettered', 'Records kept as dead letters']
] as const satisfies readonly (readonly [string, keyof Ledger, string])[]

/**
 * No number has a pipeline as a label: there may be thousands. What is about all pipelines is the same on every replica; what
 * counts up is what this process has done.
 */
export async function renderPipelineMetrics(
  { metadata, clock }: Needs,
  supervisor: Supervised = IDLE
): Promise<string> {
  const { byState, inTrouble, givenUp } = await conditionOf(metadata.db, clock.now())
  const waiting = await countWaiting(metadata.db)
  const hosts = await supervisor.census()
  const { totals } = supervisor
  const lags = supervisor.lagsMs()
  const gauge = (name: string, help: string, ...values: number[]) =>
    metricText(
      name,
      'gauge',
      help,
      values.map((value) => ({ value }))
    )
  const states = Object.entries(byState).map(([state, value]) => ({ labels: { state }, value }))
  const ended = totals.ended.map(({ kind, outcome, runs }) => ({ labels: { kind, outcome }, value: runs }))
  return [
    metricText('millrace_pipelines', 'gauge', 'Pipelines by state', states),
    gauge('millrace_pipelines_in_trouble', 'Pipelines that try the same again and again', inTrouble),
    gauge('millrace_pipelines_given_up', 'Pipelines that should run and failed', givenUp),
    gauge('millrace_pipeline_dead_letters_waiting', 'Dead letters that wait', waiting),
    metricText('millrace_pipeline_runs_ended_total', 'counter', 'Runs that ended, by kind and outcome', ended),
    metricText('millrace_pipeline_runs_restarted_total', 'counter', 'Runs that failed and were tried again', [
      { value: totals.restarts }
    ]),
    ...COUNTED.map(([name, count, help]) =>
      metricText(`millrace_pipeline_records_${name}_total`, 'counter', help, [{ value: totals.ledger[count] }])
    ),
    gauge('millrace_pipeline_hosts', 'Processes that run pipelines', hosts.count),
    gauge('millrace_pipeline_hosts_memory_bytes', 'Resident memory of all of them', hosts.residentBytes),
    metricText('millrace_pipeline_hosts_died_total', 'counter', 'Such processes that ended unasked', [
      { value: totals.deaths }
    ]),
    gauge(
      'millrace_pipeline_lag_seconds',
      'How far the source that is furthest behind is behind',
      ...(lags.length === 0 ? [] : [Math.max(...lags) / 1000])
    ),
    totals.checkpoints.render(
      'millrace_pipeline_checkpoint_duration_seconds',
      'Time from the beginning of a checkpoint to its end'
    )
  ].join('')
}

/** They are counted as they come and go: this reads a row for each kind of them, not the dead letters. */
async function countWaiting(db: Db): Promise<number> {
  const { waiting } = await db
    .selectFrom('pipeline_letter_counts')
    .select((select) => select.fn.sum<number | null>('waiting').as('waiting'))
    .executeTakeFirstOrThrow()
  return Number(waiting ?? 0)
}
