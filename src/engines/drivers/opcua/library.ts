import { join } from 'node:path'
import { loadPackage, type NeededPackage } from '../packages.ts'
import { guardProcess } from './guard.ts'

/** The package that speaks OPC UA: 70 MB with all that it needs, and so not shipped. */
export const NEEDED: NeededPackage = { name: 'node-opcua-client', version: '2.186.4' }

/** What is used of it here. */
export interface UaLibrary {
  readonly OPCUAClient: { create(options: object): UaClient }
  readonly MessageSecurityMode: Readonly<Record<'None' | 'SignAndEncrypt', number>>
  readonly SecurityPolicy: Readonly<Record<'None' | 'Basic256Sha256', string>>
  readonly UserTokenType: Readonly<Record<'Anonymous' | 'UserName', number>>
  readonly AttributeIds: Readonly<Record<'DataType' | 'ValueRank' | 'UserAccessLevel' | 'Value', number>>
  readonly TimestampsToReturn: Readonly<Record<'Source', number>>
  readonly HistoryReadRequest: new (options: object) => object
  readonly ReadRawModifiedDetails: new (options: object) => object
}

export interface UaClient {
  connect(url: string): Promise<void>
  createSession(user: object): Promise<UaSession>
  disconnect(): Promise<void>
  on(event: string, listener: () => void): void
}

export interface UaSession {
  browse(what: readonly object[]): Promise<readonly UaBrowsed[]>
  browseNext(continuation: Buffer, release: boolean): Promise<UaBrowsed>
  read(what: readonly object[]): Promise<readonly UaValue[]>
  historyRead(request: object): Promise<{ readonly results?: readonly UaHistory[] | null }>
  close(): Promise<void>
}

export interface UaStatus {
  readonly name: string
  readonly value: number
}

export interface UaBrowsed {
  readonly statusCode: UaStatus
  readonly continuationPoint?: Buffer | null
  readonly references?: readonly UaReference[] | null
}

export interface UaReference {
  readonly nodeId: { toString(): string }
  readonly referenceTypeId: { toString(): string }
  readonly browseName: { readonly name?: string | null }
  readonly nodeClass: number
}

export interface UaValue {
  readonly statusCode: UaStatus
  readonly value?: { readonly dataType: number; readonly value: unknown } | null
  readonly sourceTimestamp?: Date | null
  readonly sourcePicoseconds?: number
}

export interface UaHistory {
  readonly statusCode: UaStatus
  readonly continuationPoint?: Buffer | null
  readonly historyData?: { readonly dataValues?: readonly UaValue[] | null } | null
}

interface TransportModule {
  readonly ClientTCP_transport: new (settings: unknown) => { connect(url: string, done: unknown): void }
}

interface CertificatesModule {
  readonly OPCUACertificateManager: new (options: object) => object
}

interface DebugModule {
  setErrorLogger(log: () => void): void
  setWarningLogger(log: () => void): void
}

export interface LoadedLibrary {
  readonly ua: UaLibrary
  /** For connections that go to one address only, wherever the server says that it is. */
  transportTo(url: string): object
  /** Where the certificate of this client is kept, which a server has to trust. */
  readonly certificates: object
}

let shared: { readonly folder: string; readonly library: Promise<LoadedLibrary> } | undefined

/** The library, loaded once. */
export function loadLibrary(folder: string): Promise<LoadedLibrary> {
  if (shared?.folder === folder) return shared.library
  const library = load(folder)
  shared = { folder, library }
  library.catch(() => {
    shared = undefined
  })
  return library
}

async function load(folder: string): Promise<LoadedLibrary> {
  const ua = await loadPackage<UaLibrary>(NEEDED, folder)
  guardProcess()
  const own = join(folder, 'node_modules', NEEDED.name)
  const part = <T>(name: string) => loadPackage<T>({ ...NEEDED, name }, own)
  const { ClientTCP_transport: Transport } = await part<TransportModule>('node-opcua-transport')
  const { OPCUACertificateManager: Certificates } = await part<CertificatesModule>('node-opcua-certificate-manager')
  const debug = await part<DebugModule>('node-opcua-debug')
  // It would print failures that are told otherwise.
  debug.setErrorLogger(() => {})
  debug.setWarningLogger(() => {})
  return {
    ua,
    transportTo: (url) => ({
      create: (settings: unknown) =>
        new (class extends Transport {
          override connect(_: string, done: unknown): void {
            super.connect(url, done)
          }
        })(settings)
    }),
    certificates: new Certificates({ rootFolder: join(folder, 'opcua-certificates') })
  }
}
