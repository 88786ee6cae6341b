/** What people look for a source under. */
export const CATEGORIES = ['databases', 'warehouses', 'queues', 'files', 'machines', 'metrics'] as const
export type Category = (typeof CATEGORIES)[number]

/** How one signs in. `key` is a key file or a pair of keys, `token` one secret text, `none` that nothing has to be said. */
export const AUTHENTICATIONS = ['password', 'key', 'token', 'none'] as const
export type Authentication = (typeof AUTHENTICATIONS)[number]

/** The drivers there are; `loaders.ts` loads them. */
export type DriverName =
  | 'postgres'
  | 'mysql'
  | 'clickhouse'
  | 'redis'
  | 'nats'
  | 'mqtt'
  | 'kafka'
  | 'rabbitmq'
  | 'modbus'
  | 'snmp'
  | 'influxdb'
  | 'prometheus'
  | 'opcua'
  | 'sftp'
  | 'ftp'
  | 's3'
  | 'azure'
  | 'gcs'
  | 'http-file'
  | 'sqlite'
  | 'duckdb'
  | 'google-sheets'
  | 'elasticsearch'
  | 'opensearch'
  | 'mongodb'
  | 'sqlserver'
  | 'trino'
  | 'snowflake'
  | 'bigquery'
  | 'oracle'
  | 'neo4j'
  | 'cassandra'

/** A kind of system that can be connected, and what is particular about it. */
export interface SourceFacts {
  readonly id: string
  readonly name: string
  readonly category: Category
  /** `password` unless said. */
  readonly authentication?: Authentication
  /** What to know before connecting one. */
  readonly hint: string
  readonly documentationUrl: string
  readonly driver: DriverName
  /** What differs from what is usual for its driver. `host` and `database` are examples. */
  readonly defaults: {
    readonly host?: string
    readonly port?: number
    readonly database?: string
    readonly user?: string
    readonly tls?: boolean
  }
  /** Whether the tests run against a real one; the others speak the protocol of one that they do, or only what its makers document. */
  readonly isProven: boolean
  /** Whether its log of changes can be read: it is its own, and others that speak its protocol may have none. */
  readonly hasChanges?: true
  /** Whether reading can go on where it ended; it can unless said. */
  readonly isIncremental?: boolean
}
