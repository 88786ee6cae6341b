import { Type } from '../../../../http/type.ts'
import { CONSTANT, ColumnName, Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sinkType } from '../../contract/node-type.ts'
import type { ColumnWay, WayInput, Ways } from '../../contract/ways.ts'
import { familyOf } from '../../duckdb/columns.ts'

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
  ways: pointWays,
  open: async (context) => (await import('./delivery.ts')).openSeriesDelivery(context),
  openDry: async (context) => (await import('./delivery.ts')).drySeriesDelivery(context)
})

/** A point has numbers as `value` and texts as `text`; what else there is may become either. */
function pointWays({ time, tag, value, quality }: SeriesSinkConfig, inputs: readonly WayInput[]): Ways {
  const numbers = way('value', 'DOUBLE', value, inputs, (type) => type !== 'VARCHAR')
  const texts = way('text', 'VARCHAR', value, inputs, (type) => familyOf(type) !== 'number' && type !== 'BOOLEAN')
  const columns = [
    way('time', 'TIMESTAMP_NS', time, inputs),
    // A name in quotes is the same for all points, and comes from no column.
    way('tag', 'VARCHAR', CONSTANT.test(tag) ? undefined : tag, inputs),
    ...[numbers, texts].filter(({ from }) => from.length > 0),
    ...(quality === undefined ? [] : [way('quality', 'VARCHAR', quality, inputs)])
  ]
  return { columns, rows: [] }
}

function way(
  name: string,
  type: string,
  column: string | undefined,
  inputs: readonly WayInput[],
  isOf: (type: string) => boolean = () => true
): ColumnWay {
  const from = inputs.flatMap(({ columns }, input) =>
    columns
      .filter((one) => one.name.toLowerCase() === column?.toLowerCase() && isOf(one.type))
      .map((one) => ({ input, column: one.name, kind: 'identity' as const }))
  )
  return { name, type, from }
}
