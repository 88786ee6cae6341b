import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf, DurationText, durationFaults } from '../../contract/config-parts.ts'
import { sourceType } from '../../contract/node-type.ts'
import { ConnectorId, type GivenConnector } from '../sql/connector.ts'

const StreamSourceConfig = Config({
  connectorId: ConnectorId,
  stream: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Name of one of its streams, as it was discovered: `public.orders`'
  }),
  cursor: Type.Optional(
    ColumnName(
      'A column that only grows, such as a number or a time of change: records are read in its order, and each only once. Records that appear later with an equal or smaller value are not seen'
    )
  ),
  interval: Type.Optional(DurationText('Reads again so often, with a cursor what is new; once unless said')),
  changes: Type.Optional(
    Type.Boolean({
      description:
        'Reads all rows and then every change from the log of the database, deletes among them, without end; `_op` says what became of a row'
    })
  )
})

export type StreamSourceConfig = ConfigOf<typeof StreamSourceConfig> & { readonly connector?: GivenConnector }

export const streamSource = sourceType<StreamSourceConfig>({
  type: 'stream',
  about: 'Reads a stream of a connector: a table or a view. Decimals are text, so that nothing of them is lost.',
  config: StreamSourceConfig,
  references: ({ connectorId, stream }) => [`connector://${connectorId}/${stream}`],
  // `_before` holds values of every column.
  makesColumns: ({ changes }) => changes === true,
  isBounded: ({ interval, changes }) => interval === undefined && changes !== true,
  isIncremental: ({ cursor }) => cursor !== undefined,
  check: (config) => [
    ...durationFaults(config, ['interval']),
    ...(['cursor', 'interval'] as const).flatMap((field) =>
      config.changes === true && config[field] !== undefined
        ? [{ pointer: `/${field}`, message: 'must not be given with changes, which come by themselves' }]
        : []
    )
  ],
  open: async (context) => (await import('./reads.ts')).openStreamReads(context)
})
