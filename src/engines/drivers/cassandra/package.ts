import type { tlsNames } from '../../brokers/guarded-socket.ts'
import type { NeededPackage } from '../packages.ts'

export const CASSANDRA: NeededPackage = { name: 'cassandra-driver', version: '4.10.0' }

/** Of the package `cassandra-driver`, what is used of it here. */
export interface CassandraPackage {
  readonly Client: new (options: CassandraOptions) => CassandraClient
  readonly policies: {
    readonly loadBalancing: {
      readonly RoundRobinPolicy: new () => object
      /** Keeps to these addresses, whatever other members of the cluster are told of. */
      readonly AllowListPolicy: new (
        child: object,
        addresses: readonly string[]
      ) => object
    }
  }
}

export interface CassandraOptions {
  readonly contactPoints: readonly string[]
  readonly policies: { readonly loadBalancing: object }
  readonly credentials?: { readonly username: string; readonly password: string }
  readonly sslOptions?: ReturnType<typeof tlsNames> & { readonly ca?: string }
  readonly socketOptions: { readonly connectTimeout: number; readonly readTimeout: number }
  readonly encoding: { readonly useBigIntAsLong: true; readonly useBigIntAsVarint: true }
  readonly isMetadataSyncEnabled: false
  readonly applicationName: string
}

export interface CassandraClient {
  connect(): Promise<void>
  execute(statement: string, parameters: readonly string[], options: PageOptions): Promise<CassandraResult>
  shutdown(): Promise<void>
}

export interface PageOptions {
  readonly prepare: boolean
  readonly fetchSize: number
  readonly pageState?: string
}

export interface CassandraResult {
  readonly rows: readonly { values(): readonly unknown[] }[]
  /** Where the next page begins; null where there is none. */
  readonly pageState: string | null
}
