import type { Socket } from 'node:net'
import type { NeededPackage } from '../packages.ts'

export const TEDIOUS: NeededPackage = { name: 'tedious', version: '20.3.8' }

/** Of the package `tedious`, what is used of it here. */
export interface TediousPackage {
  readonly Connection: new (config: TediousConfig) => TediousConnection
  readonly Request: new (statement: string, done: (error?: Error | null) => void) => TediousRequest
}

export interface TediousConfig {
  readonly server: string
  readonly authentication: {
    readonly type: 'default'
    readonly options: { readonly userName: string; readonly password: string }
  }
  readonly options: {
    readonly port: number
    readonly database: string
    readonly encrypt: boolean
    readonly trustServerCertificate: false
    readonly cryptoCredentialsDetails: { readonly ca?: string }
    readonly connectTimeout: number
    readonly requestTimeout: number
    readonly cancelTimeout: number
    readonly appName: string
    readonly readOnlyIntent: true
    /** Gets where the package would connect to: a server may send it on to another. */
    connector(target: { readonly host: string; readonly port: number }): Promise<Socket>
  }
}

export interface TediousConnection {
  connect(done: (error?: Error) => void): void
  execSqlBatch(request: TediousRequest): void
  close(): void
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

export interface TediousRequest {
  on(event: 'row', listener: (columns: readonly { readonly value: unknown }[]) => void): unknown
  pause(): void
  resume(): void
}
