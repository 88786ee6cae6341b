import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf, DurationText, durationFaults } from '../../contract/config-parts.ts'
import { statefulType } from '../../contract/node-type.ts'
import { fromAll, unchanged } from '../../contract/ways.ts'

const DedupeConfig = Config({
  by: Type.Array(ColumnName('A column'), {
    minItems: 1,
    maxItems: 20,
    description: 'Records in which these are all equal are the same; the first of them goes on'
  }),
  within: Type.Optional(
    DurationText(
      'How long a record is remembered; for ever unless said, and then there may be 10 million different ones'
    )
  ),
  time: Type.Optional(
    ColumnName('The column with the time of the record, by which `within` is measured; else it is when the record came')
  )
})
export type DedupeConfig = ConfigOf<typeof DedupeConfig>

export const dedupe = statefulType<DedupeConfig>({
  type: 'dedupe',
  about: 'Lets the first of records that are the same go on.',
  config: DedupeConfig,
  inputs: { min: 1, max: 1 },
  accounting: 'filters',
  check(config) {
    const isTimeAlone = config.time !== undefined && config.within === undefined
    return [
      ...durationFaults(config, ['within']),
      ...(isTimeAlone ? [{ pointer: '/within', message: 'must be there where time is' }] : [])
    ]
  },
  columns: ({ by, time }) => (time === undefined ? by : [...by, time]),
  ways: ({ by, time }, inputs) => ({
    columns: unchanged(inputs),
    rows: fromAll(time === undefined ? by : [...by, time], 'filtered')
  }),
  open: async (context) => new (await import('./dedupe-steps.ts')).DedupeSteps(context)
})
