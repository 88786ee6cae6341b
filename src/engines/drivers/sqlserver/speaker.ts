import { connect, type Socket } from 'node:net'
import type { Outbound } from '../../outbound/index.ts'
import type { Speaker } from '../common/tables.ts'
import { SourceError } from '../errors.ts'
import type { SqlServerSettings } from './config.ts'
import { fromTedious } from './errors.ts'
import type { TediousConnection, TediousPackage } from './package.ts'
import { WaitingRows } from './rows.ts'

const CONNECT_LIMIT_MS = 10_000
const KEPT_WAITING_MS = 300_000

/** SQL Server, with a connection for each statement. */
export class SqlServerSpeaker implements Speaker {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #settings: SqlServerSettings
  readonly #outbound: Outbound
  readonly #load: () => Promise<TediousPackage>
  readonly #open = new Set<TediousConnection>()

  constructor(settings: SqlServerSettings, outbound: Outbound, load: () => Promise<TediousPackage>) {
    this.host = settings.host
    this.port = settings.port
    this.tls = settings.tls
    this.#settings = settings
    this.#outbound = outbound
    this.#load = load
  }

  async enter(signal: AbortSignal): Promise<string> {
    for await (const _ of this.rows('SELECT 1', signal)) break
    return `${this.#settings.user} may enter ${this.#settings.database}`
  }

  async *rows(statement: string, signal: AbortSignal): AsyncGenerator<unknown[][]> {
    signal.throwIfAborted()
    const { Request, Connection } = await this.#load()
    const connection = new Connection(this.#config())
    this.#open.add(connection)
    const request = new Request(statement, (error) => rows.finish(error ?? undefined))
    const rows = new WaitingRows(request)
    connection.on('error', (error) => rows.finish(error))
    connection.on('end', () => rows.finish(new SourceError('unreachable', 'The connection was cut; try again')))
    const end = () => rows.finish(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    connection.connect((error) => (error ? rows.finish(error) : connection.execSqlBatch(request)))
    try {
      for (;;) {
        const some = await rows.take()
        if (some === undefined) return
        yield some
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : fromTedious(error)
    } finally {
      signal.removeEventListener('abort', end)
      this.#open.delete(connection)
      connection.close()
    }
  }

  grants(): string[] {
    const { user, database } = this.#settings
    const [name, place] = [user, database].map((text) => `[${text.replaceAll(']', ']]')}]`)
    return [`USE ${place};`, `CREATE USER ${name} FOR LOGIN ${name};`, `ALTER ROLE db_datareader ADD MEMBER ${name};`]
  }

  async close(): Promise<void> {
    for (const connection of this.#open) connection.close()
  }

  #config(): ConstructorParameters<TediousPackage['Connection']>[0] {
    const { host, port, database, user, password, tls, ca } = this.#settings
    return {
      server: host,
      authentication: { type: 'default', options: { userName: user, password } },
      options: {
        port,
        database,
        encrypt: tls,
        trustServerCertificate: false,
        cryptoCredentialsDetails: ca === '' ? {} : { ca },
        connectTimeout: CONNECT_LIMIT_MS,
        requestTimeout: KEPT_WAITING_MS,
        cancelTimeout: CONNECT_LIMIT_MS,
        appName: 'millrace',
        readOnlyIntent: true,
        connector: (target) => this.#dial(target)
      }
    }
  }

  /** To the address that was checked; also where the server sends us on, and only where that has the same password to hear. */
  async #dial({ host, port }: { readonly host: string; readonly port: number }): Promise<Socket> {
    if (host !== this.host || port !== this.port) {
      throw new SourceError(
        'refused_by_policy',
        'The server sends the connection on to another one, which gets no password; set its policy to Proxy, or give that server',
        '/host'
      )
    }
    const { address } = await this.#outbound.resolve(host, port)
    const socket = connect({ host: address, port })
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return socket
  }
}
