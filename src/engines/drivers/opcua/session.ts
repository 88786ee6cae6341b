import { X509Certificate } from 'node:crypto'
import { OutboundError } from '../../outbound/errors.ts'
import { SourceError } from '../errors.ts'
import type { DriverNeeds } from '../index.ts'
import { fromOutbound } from '../reach.ts'
import type { OpcuaSettings } from './config.ts'
import { fromChannel, fromSession, statusIn } from './errors.ts'
import { onFailure } from './guard.ts'
import { type LoadedLibrary, loadLibrary, type UaClient, type UaSession } from './library.ts'

const SESSION_MS = 60_000
const ANSWER_LIMIT_MS = 15_000
/** Basic256Sha256 knows no shorter ones. */
const MIN_KEY_BITS = 2048

/** A channel to a server, and a session in it; everything in it ends with the signal. */
export class Connection {
  readonly library: LoadedLibrary
  readonly #client: UaClient
  readonly #signal: AbortSignal
  readonly #failing = new AbortController()
  readonly #release: () => void
  #session: UaSession | undefined

  private constructor(library: LoadedLibrary, client: UaClient, signal: AbortSignal) {
    this.library = library
    this.#client = client
    this.#signal = signal
    this.#release = onFailure((error) => this.#failing.abort(error))
  }

  /** Opens a channel to the address that was checked, whatever the server says about where it is. */
  static async open(settings: OpcuaSettings, needs: DriverNeeds, signal: AbortSignal): Promise<Connection> {
    const { host, port, path, isEncrypted } = settings
    const { address, family } = await needs.outbound.resolve(host, port).catch((error) => {
      throw error instanceof OutboundError ? fromOutbound(error) : error
    })
    const url = `opc.tcp://${family === 6 ? `[${address}]` : address}:${port}${path}`
    const library = await loadLibrary(needs.packagesFolder)
    const client = clientOf(library, settings, url)
    const connection = new Connection(library, client, signal)
    try {
      await connection.#limited(client.connect(url))
    } catch (error) {
      await connection.close()
      signal.throwIfAborted()
      if (error instanceof SourceError) throw error
      if (/ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ETIMEDOUT/.test(error instanceof Error ? error.message : ''))
        throw new SourceError('unreachable', `Nothing accepts connections at port ${port}`, '/port')
      throw fromChannel(error, isEncrypted)
    }
    return connection
  }

  async signIn({ user, password }: OpcuaSettings): Promise<void> {
    const { UserTokenType } = this.library.ua
    const who =
      user === '' ? { type: UserTokenType.Anonymous } : { type: UserTokenType.UserName, userName: user, password }
    try {
      this.#session = await this.#limited(this.#client.createSession(who))
    } catch (error) {
      this.#signal.throwIfAborted()
      throw error instanceof SourceError ? error : fromSession(error)
    }
  }

  /** Asks something within the session. */
  async ask<T>(work: (session: UaSession) => Promise<T>): Promise<T> {
    if (this.#session === undefined) throw new SourceError('unavailable', 'There is no session')
    try {
      return await this.#limited(work(this.#session))
    } catch (error) {
      this.#signal.throwIfAborted()
      if (error instanceof SourceError) throw error
      throw new SourceError('unavailable', `The server broke off (${statusIn(error)}); try again`)
    }
  }

  async close(): Promise<void> {
    await this.#session?.close().catch(() => {})
    await this.#client.disconnect().catch(() => {})
    this.#release()
  }

  /** The library knows no signals: what is given up ends when the channel is closed. */
  async #limited<T>(work: Promise<T>): Promise<T> {
    const limit = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const ending = AbortSignal.any([this.#signal, this.#failing.signal, limit])
    const { promise, reject } = Promise.withResolvers<never>()
    const onAbort = () =>
      reject(limit.aborted ? new SourceError('timeout', 'The server did not answer in time') : ending.reason)
    ending.addEventListener('abort', onAbort)
    if (ending.aborted) onAbort()
    try {
      return await Promise.race([work, promise])
    } finally {
      ending.removeEventListener('abort', onAbort)
      work.catch(() => {})
    }
  }
}

function clientOf(library: LoadedLibrary, settings: OpcuaSettings, url: string): UaClient {
  const { OPCUAClient, MessageSecurityMode, SecurityPolicy } = library.ua
  const { isEncrypted, serverCertificate } = settings
  const client = OPCUAClient.create({
    applicationName: 'Millrace',
    clientName: 'Millrace',
    endpointMustExist: false,
    connectionStrategy: { maxRetry: 0, initialDelay: 100 },
    requestedSessionTimeout: SESSION_MS,
    securityMode: isEncrypted ? MessageSecurityMode.SignAndEncrypt : MessageSecurityMode.None,
    securityPolicy: isEncrypted ? SecurityPolicy.Basic256Sha256 : SecurityPolicy.None,
    ...(isEncrypted && { serverCertificate: derOf(serverCertificate) }),
    clientCertificateManager: library.certificates,
    transportFactory: library.transportTo(url)
  })
  client.on('error', () => {})
  return client
}

/** The library would take the process down over a key that it can't use. */
function derOf(pem: string): Buffer {
  const refuse = (why: string) => new SourceError('tls_failed', why, '/serverCertificate')
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(pem)
  } catch {
    throw refuse('Encryption needs the certificate of the server, as PEM')
  }
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_KEY_BITS)
    throw refuse(`The certificate of the server has to have an RSA key of at least ${MIN_KEY_BITS} bits`)
  return certificate.raw
}
