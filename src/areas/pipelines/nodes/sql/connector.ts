import { type Entry, findSource, type StreamColumn } from '../../../../engines/drivers/index.ts'
import { settingsOf } from '../../../../engines/drivers/sql/config.ts'
import { isSqlKind, type SqlSettings } from '../../../../engines/sql/index.ts'
import { Type } from '../../../../http/type.ts'
import { NodeFault } from '../../contract/context.ts'
import type { ConfigFault } from '../../contract/node-type.ts'
import { type SqlConnection, sqlData } from './connection.ts'

/** What the server puts beside the configuration when a run starts: a host knows nothing of connectors. */
export interface GivenConnector {
  readonly sourceId: string
  /** Where a user has made the source. */
  readonly entry?: Entry | undefined
  readonly config: Readonly<Record<string, unknown>>
  /** With which its secrets can be asked for, and others kept in their place. */
  readonly ticket: string
  /** Where packages of drivers lie that are not shipped. */
  readonly packagesFolder: string
  /** Of the stream that is read, as they were discovered. */
  readonly columns?: readonly StreamColumn[] | undefined
}

export const ConnectorId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Id of a connector, which has the address and the secrets'
})

/** Which database is meant: by a connector, or spelt out. */
export interface NamedDatabase {
  readonly connection?: SqlConnection | undefined
  readonly connectorId?: string | undefined
  readonly connector?: GivenConnector
}

export function databaseFaults({ connection, connectorId }: NamedDatabase): ConfigFault[] {
  if ((connection === undefined) !== (connectorId === undefined)) return []
  return [{ pointer: '/connectorId', message: 'must be given, or a connection, and not both' }]
}

/** How to reach it; a connector may have become one of another kind since the node was written. */
export function settingsFor({ connection, connector }: NamedDatabase): SqlSettings {
  if (connection !== undefined) return connection as SqlSettings
  const source = connector && findSource(connector.sourceId)
  if (connector === undefined || source === undefined)
    throw new NodeFault('fatal', 'connector_missing', 'The connector is of a source that is not known')
  if (!isSqlKind(source.driver))
    throw new NodeFault(
      'fatal',
      'connector_unfit',
      `${source.name} takes no SQL; read it with a node of the type stream`
    )
  return settingsOf(source.driver, connector.config, source)
}

/**
 * The data of a table, for lineage and for levels. A statement may read any table that the user of a connector may, so that what it reads is
 * all that the connector has.
 */
export function dataOf({ connection, connectorId }: NamedDatabase, table: string | undefined): string {
  if (connectorId !== undefined) return `connector://${connectorId}/${table ?? '**'}`
  return sqlData(connection as SqlConnection, table)
}
