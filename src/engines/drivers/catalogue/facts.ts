/** What people look for a source under. */
export const CATEGORIES = [
  ...(['databases', 'warehouses', 'queues', 'files', 'machines', 'metrics'] as const),
  ...(['crm', 'marketing', 'advertising', 'surveys', 'social', 'events', 'content'] as const),
  ...(['finance', 'payments', 'commerce', 'logistics', 'hr', 'education', 'science'] as const),
  ...(['support', 'communication', 'productivity', 'projects', 'documents'] as const),
  ...(['engineering', 'monitoring', 'security', 'analytics', 'ai'] as const)
] as const
export type Category = (typeof CATEGORIES)[number]

/**
 * How one signs in. `key` is a key file or a pair of keys, `token` one secret text, `none` that nothing has to be said,
 * `oauth2` a token that is renewed by OAuth 2, `session` one that is got by signing in, `signature` that requests are
 * signed, and `choice` that there are several ways.
 */
export const AUTHENTICATIONS = [
  ...(['password', 'key', 'token', 'none'] as const),
  ...(['oauth2', 'session', 'signature', 'choice'] as const)
] as const
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
  | 'declared'

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
