import type { ConnectorRow, ConnectorStreamRow, ConnectorTestRow } from './migrations.ts'
import type { Connector, Stream } from './schema.ts'

/** A connector as the API shows it: without its secrets. */
export function toConnector(row: ConnectorRow, streams: number): Connector {
  const { discovered_at: discoveredAt } = row
  return {
    id: row.id,
    name: row.name,
    sourceId: row.source_id,
    config: JSON.parse(row.config),
    status: row.status,
    statusSince: row.status_since,
    lastTest: row.last_test === null ? null : JSON.parse(row.last_test),
    streams:
      discoveredAt === null
        ? null
        : { total: streams, whole: row.streams_whole === 1, stale: row.streams_stale === 1, discoveredAt },
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

/** What a change of a connector is about: how it fares, and what can be read, changes without anybody changing it. */
export function factsOf(row: ConnectorRow) {
  const { id, name, source_id: sourceId, config, version } = row
  return { id, name, sourceId, config: JSON.parse(config) as object, version }
}

export function toTest({ id, at, success, code, message, checks }: ConnectorTestRow) {
  return { id, at, success: success === 1, code, message, checks: JSON.parse(checks) }
}

export function toStream(row: ConnectorStreamRow): Stream {
  return {
    name: row.name,
    reference: `connector://${row.connector_id}/${row.name}`,
    kind: row.kind,
    readable: row.readable === 1,
    columns: JSON.parse(row.columns),
    keys: JSON.parse(row.keys),
    cursors: JSON.parse(row.cursors),
    note: row.note
  }
}
