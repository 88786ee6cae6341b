import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf } from '../../contract/config-parts.ts'
import { type ConfigFault, sinkType } from '../../contract/node-type.ts'
import { unchanged } from '../../contract/ways.ts'
import { SQL_SECRETS, SqlConnection } from './connection.ts'
import { ConnectorId, databaseFaults, dataOf, type GivenConnector } from './connector.ts'

const SqlSinkConfig = Config({
  connectorId: Type.Optional(ConnectorId),
  connection: Type.Optional(SqlConnection),
  table: Type.String({
    minLength: 1,
    maxLength: 400,
    description: '`table` or `schema.table`, best as its connector has it'
  }),
  mode: Type.Optional(
    OneOf(
      ['insert', 'upsert'],
      'Whether records become new rows, as they do unless said, or replace those with the same keys. After a crash some records are written again: upserts do not show it'
    )
  ),
  keys: Type.Optional(
    Type.Array(ColumnName('A column'), {
      minItems: 1,
      maxItems: 16,
      description:
        'For upserts: the columns that tell rows apart. The table needs a primary key or unique index of exactly these; in ClickHouse it must be a ReplacingMergeTree'
    })
  ),
  create: Type.Optional(
    Type.Boolean({ description: 'Makes the table from the first records if it is not there, with `keys` as its key' })
  )
})
export type SqlSinkConfig = ConfigOf<typeof SqlSinkConfig> & { readonly connector?: GivenConnector }

export const sqlSink = sinkType<SqlSinkConfig>({
  type: 'sql',
  about: 'Writes records into a table of PostgreSQL, MySQL, MariaDB or ClickHouse.',
  config: SqlSinkConfig,
  secrets: SQL_SECRETS,
  delivery: 'at-least-once',
  columns: ({ keys }) => keys ?? [],
  references: (config) => [dataOf(config, config.table)],
  ways: (_config, inputs) => ({ columns: unchanged(inputs), rows: [] }),
  check: (config) => [...databaseFaults(config), ...keyFaults(config)],
  open: async (context) => (await import('./delivery.ts')).openSqlDelivery(context)
})

function keyFaults({ mode = 'insert', keys }: SqlSinkConfig): ConfigFault[] {
  if (mode === 'upsert' && keys === undefined) return [{ pointer: '/keys', message: 'must be given for upserts' }]
  if (mode === 'insert' && keys !== undefined) {
    return [{ pointer: '/keys', message: 'can only be given where the mode is upsert' }]
  }
  return []
}
