import { sqlName } from '../../../../data/relation.ts'
import { Type } from '../../../../http/type.ts'
import {
  ColumnName,
  Config,
  type ConfigOf,
  DurationText,
  durationFaults,
  durationMs,
  Expressions,
  expressionParts
} from '../../contract/config-parts.ts'
import { type ConfigFault, statefulType } from '../../contract/node-type.ts'
import { fromAll, inputFrom, type ReadSelect, type WayInput, type Ways } from '../../contract/ways.ts'
import { selectList } from '../../duckdb/expression.ts'

const AggregateConfig = Config({
  window: DurationText('How long a window is'),
  slide: Type.Optional(DurationText('How often one begins; windows follow one another unless said')),
  time: ColumnName('The column with the time of the record, a timestamp'),
  groupBy: Type.Optional(
    Type.Array(ColumnName('A column'), {
      minItems: 1,
      maxItems: 20,
      description: 'Records are taken together by these'
    })
  ),
  select: Expressions(
    'The columns made of the records of a window, each a SQL expression with aggregates: `avg(value)`'
  ),
  lateness: Type.Optional(
    DurationText(
      'How far a record may be behind the newest one; a window is closed once it is further behind. 0 unless said'
    )
  )
})
export type AggregateConfig = ConfigOf<typeof AggregateConfig>

/** Windows that one record may be in. */
const MAX_OVERLAP = 1000

export const aggregate = statefulType<AggregateConfig>({
  type: 'aggregate',
  about: 'Makes one record of all that fall into a window of time, per group, with `window_start` and `window_end`.',
  config: AggregateConfig,
  inputs: { min: 1, max: 1 },
  accounting: 'reshapes',
  check: faultsOf,
  columns: ({ time, groupBy = [] }) => [time, ...groupBy],
  sql: ({ select }) => expressionParts('select', select, 'group'),
  ways: windowWays,
  open: async (context) => new (await import('./windows.ts')).Windows(context)
})

/** The same SQL that makes the records, but for the windows, which are made of the time. */
async function windowWays(
  { time, groupBy = [], select }: AggregateConfig,
  _inputs: readonly WayInput[],
  read: ReadSelect
): Promise<Ways> {
  const by = groupBy.map(sqlName)
  const group = by.length === 0 ? '' : ` GROUP BY ${by.join(', ')}`
  const { columns, rows } = await read(`SELECT ${[...by, selectList(select)].join(', ')} FROM ${inputFrom(0)}${group}`)
  const windows = ['window_start', 'window_end'].map((name) => {
    return { name, type: 'TIMESTAMP', from: fromAll([time], 'computed') }
  })
  const grouped = columns.slice(0, by.length)
  const made = columns.slice(by.length)
  return { columns: [...grouped, ...windows, ...made], rows: [...rows, ...fromAll([time], 'grouped')] }
}

function faultsOf(config: AggregateConfig): ConfigFault[] {
  const faults = durationFaults(config, ['window', 'slide', 'lateness'])
  if (faults.length > 0) return faults
  const windowMs = durationMs(config.window)
  const slideMs = config.slide === undefined ? windowMs : durationMs(config.slide)
  if (windowMs % slideMs !== 0) return [{ pointer: '/slide', message: 'must divide the window without rest' }]
  if (windowMs / slideMs > MAX_OVERLAP) {
    return [{ pointer: '/slide', message: `must be at least a ${MAX_OVERLAP}th of the window` }]
  }
  const taken = ['window_start', 'window_end', ...(config.groupBy ?? []).map((name) => name.toLowerCase())]
  return Object.keys(config.select)
    .filter((name) => taken.includes(name.toLowerCase()))
    .map((name) => ({ pointer: `/select/${name}`, message: `can't be named ${name}, which is there already` }))
}
