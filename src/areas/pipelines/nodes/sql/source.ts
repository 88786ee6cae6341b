import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf, DurationText, durationFaults } from '../../contract/config-parts.ts'
import { sourceType } from '../../contract/node-type.ts'
import { SQL_SECRETS, SqlConnection, sqlData } from './connection.ts'
import { ConnectorId, databaseFaults, dataOf, type GivenConnector } from './connector.ts'

const SqlSourceConfig = Config({
  connectorId: Type.Optional(ConnectorId),
  connection: Type.Optional(SqlConnection),
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100_000,
      description: 'A statement that reads, in the SQL of that database; without a cursor it should have an ORDER BY'
    })
  ),
  table: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        'Instead of a query: `table` or `schema.table`; of a connector one of its streams, as it was discovered'
    })
  ),
  cursor: Type.Optional(
    ColumnName(
      'A column that only grows, such as a number or a time of change: rows are read in its order, and each only once. Rows that appear later with an equal or smaller value are not seen'
    )
  ),
  interval: Type.Optional(DurationText('Reads again so often, with a cursor what is new; once unless said'))
})
export type SqlSourceConfig = ConfigOf<typeof SqlSourceConfig> & { readonly connector?: GivenConnector }

export const sqlSource = sourceType<SqlSourceConfig>({
  type: 'sql',
  about: 'Reads rows of PostgreSQL, MySQL, MariaDB or ClickHouse. Decimals are text, so that nothing of them is lost.',
  config: SqlSourceConfig,
  secrets: SQL_SECRETS,
  references: (config) => [dataOf(config, config.table)],
  // The dialect of the query is that of the database.
  makesColumns: ({ table }) => table === undefined,
  // What a connector is, is known to the server alone.
  statement: ({ connection, query }) =>
    query === undefined || connection === undefined || connection.kind === 'clickhouse'
      ? undefined
      : { sql: query, dialect: connection.kind, referenceOf: (table) => sqlData(connection, table) },
  isBounded: ({ interval }) => interval === undefined,
  isIncremental: ({ cursor }) => cursor !== undefined,
  check: (config) => [
    ...databaseFaults(config),
    ...durationFaults(config, ['interval']),
    ...((config.query === undefined) === (config.table === undefined)
      ? [{ pointer: '/query', message: 'must be given, or a table, and not both' }]
      : [])
  ],
  open: async (context) => (await import('./reads.ts')).openSqlReads(context)
})
