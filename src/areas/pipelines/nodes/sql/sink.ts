import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf } from '../../contract/config-parts.ts'
import { type ConfigFault, sinkType } from '../../contract/node-type.ts'
import { unchanged, type WayInput } from '../../contract/ways.ts'
import { SQL_SECRETS, SqlConnection } from './connection.ts'
import { ConnectorId, databaseFaults, dataOf, type GivenConnector } from './connector.ts'
import { areChanges, ownColumns } from './mirror.ts'

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
      'Whether records become new rows, as they do unless said, or replace those with the same keys; of records of changes (`_op`) deletes remove rows. After a crash some records are written again: upserts do not show it'
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
  ),
  truncate: Type.Optional(
    Type.Boolean({
      description:
        'For upserts of changes (`_op`): whether all rows go here where all go at the source; otherwise such a record becomes a dead letter'
    })
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
  ways: (config, inputs) => ({ columns: unchanged(inputs.map((input) => written(config, input))), rows: [] }),
  check: (config) => [...databaseFaults(config), ...keyFaults(config)],
  open: async (context) => (await import('./delivery.ts')).openSqlDelivery(context)
})

/** Of changes that are applied, only the columns of the table are written. */
function written({ mode, connection }: SqlSinkConfig, input: WayInput): WayInput {
  const isApplied = mode === 'upsert' && connection?.kind !== 'clickhouse' && areChanges(input.columns)
  return isApplied ? { ...input, columns: ownColumns(input.columns) } : input
}

function keyFaults({ mode = 'insert', keys, truncate, connection }: SqlSinkConfig): ConfigFault[] {
  if (truncate !== undefined && (mode === 'insert' || connection?.kind === 'clickhouse')) {
    return [{ pointer: '/truncate', message: 'can only be given where the mode is upsert, and not for ClickHouse' }]
  }
  if (mode === 'upsert' && keys === undefined) return [{ pointer: '/keys', message: 'must be given for upserts' }]
  if (mode === 'insert' && keys !== undefined) {
    return [{ pointer: '/keys', message: 'can only be given where the mode is upsert' }]
  }
  return []
}
