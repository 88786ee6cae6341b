import type { NeededPackage } from '../packages.ts'

export const ORACLEDB: NeededPackage = { name: 'oracledb', version: '26.0.0' }

/** Of the package `oracledb` in its thin mode, what is used of it here. */
export interface OraclePackage {
  readonly OUT_FORMAT_ARRAY: unknown
  readonly STRING: unknown
  readonly BUFFER: unknown
  readonly DB_TYPE_CLOB: unknown
  readonly DB_TYPE_NCLOB: unknown
  readonly DB_TYPE_LONG: unknown
  readonly DB_TYPE_BLOB: unknown
  getConnection(options: {
    readonly user: string
    readonly password: string
    readonly connectString: string
  }): Promise<OracleConnection>
}

export interface OracleConnection {
  execute(
    statement: string,
    binds: readonly unknown[],
    options: object
  ): Promise<{ readonly resultSet?: OracleResults }>
  close(options: { readonly drop: boolean }): Promise<void>
}

export interface OracleResults {
  getRows(count: number): Promise<unknown[][]>
  close(): Promise<void>
}
