/** What is used here of a package that comes without types. */
declare module 'net-snmp' {
  import type { EventEmitter } from 'node:events'

  export interface Varbind {
    readonly oid: string
    readonly type: number
    readonly value: boolean | number | string | Buffer | null
  }

  export interface Session extends EventEmitter {
    get(oids: readonly string[], callback: (error: Error | null, varbinds: Varbind[]) => void): void
    getBulk(
      oids: readonly string[],
      nonRepeaters: number,
      maxRepetitions: number,
      callback: (error: Error | null, varbinds: Varbind[][]) => void
    ): void
    close(): void
  }

  interface Options {
    readonly port: number
    readonly transport: 'udp4' | 'udp6'
    readonly version: number
    readonly timeout: number
    readonly retries: number
  }

  export interface User {
    readonly name: string
    readonly level: number
    readonly authProtocol?: string
    readonly authKey?: string
    readonly privProtocol?: string
    readonly privKey?: string
  }

  interface NetSnmp {
    createSession(target: string, community: string, options: Options): Session
    createV3Session(target: string, user: User, options: Options): Session
    readonly Version2c: number
    readonly Version3: number
    readonly SecurityLevel: Readonly<Record<'noAuthNoPriv' | 'authNoPriv' | 'authPriv', number>>
    readonly AuthProtocols: Readonly<Record<string, string>>
    readonly PrivProtocols: Readonly<Record<string, string>>
    /** Names of types by number, and the other way round. */
    readonly ObjectType: Readonly<Record<string | number, string | number>>
    readonly ErrorStatus: Readonly<Record<string, number>>
    readonly ResponseInvalidCode: Readonly<Record<string, number>>
    readonly RequestTimedOutError: new () => Error
    readonly RequestFailedError: new () => Error & { readonly status: number }
    readonly ResponseInvalidError: new () => Error & { readonly code: number }
  }

  const snmp: NetSnmp
  export default snmp
}
