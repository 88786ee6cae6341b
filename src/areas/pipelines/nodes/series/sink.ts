import { Type } from '../../../../http/type.ts'
import { CONSTANT, ColumnName, Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sinkType } from '../../contract/node-type.ts'

const SeriesSinkConfig = Config({
  source: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of a catalog source' }),
  time: ColumnName('The column with the time of the point'),
  tag: ColumnName('The column with the name of the tag, or a name in single quotes for all points'),
  value: ColumnName('The column with the value'),
  quality: Type.Optional(ColumnName('A column that is `good`, `uncertain` or `bad`'))
})
export type SeriesSinkConfig = ConfigOf<typeof SeriesSinkConfig>

export const seriesSink = sinkType<SeriesSinkConfig>({
  type: 'series',
  about: 'Writes each record as a point of a catalog source.',
  config: SeriesSinkConfig,
  delivery: 'exactly-once',
  columns: ({ time, tag, value, quality }) =>
    [time, tag, value, quality ?? ''].filter((name) => name !== '' && !CONSTANT.test(name)),
  references: ({ source }) => [`series://${source}`],
  open: async (context) => (await import('./delivery.ts')).openSeriesDelivery(context),
  openDry: async (context) => (await import('./delivery.ts')).drySeriesDelivery(context)
})
