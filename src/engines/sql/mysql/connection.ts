import type { EventEmitter } from 'node:events'
import { connect, isIP } from 'node:net'
import type mysql from 'mysql2'
import type { Outbound } from '../../outbound/index.ts'
import { defaultPort } from '../default-port.ts'
import { SqlError } from '../errors.ts'
import type { SqlSettings, SqlValue } from '../index.ts'
import { CONNECT_LIMIT_MS } from '../limits.ts'
import type { SessionConnection } from '../sessions.ts'
import { fromMysql } from './errors.ts'
import { type Row, RowQueue } from './row-queue.ts'
import type { Field } from './types.ts'

export type Parameter = Exclude<SqlValue, Uint8Array> | Buffer

/** What the driver asks of a command: `execute` first without a packet, then with each; true when it is over. */
interface ForeignCommand {
  execute(packet: unknown, client: unknown): boolean
  onResult(error: unknown): void
}

/** Zero dates are accepted; a value that does not fit is refused rather than cut. */
const SQL_MODE = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
const SESSION = `SET time_zone = '+00:00', sql_mode = '${SQL_MODE}'`

export class MysqlConnection implements SessionConnection {
  readonly #settings: SqlSettings
  readonly #outbound: Outbound
  readonly #client: mysql.Connection
  #streaming: EventEmitter | undefined
  isBusy = false
  isOpen = true

  private constructor(settings: SqlSettings, outbound: Outbound, client: mysql.Connection) {
    this.#settings = settings
    this.#outbound = outbound
    this.#client = client
    const lost = (error: unknown) => {
      this.isOpen = false
      // The driver reports a lost connection only to callers that wait for a whole answer.
      this.#streaming?.emit('error', error)
    }
    client.on('error', lost)
    client.on('end', () => lost({ fatal: true, code: 'PROTOCOL_CONNECTION_LOST' }))
  }

  static async open(settings: SqlSettings, outbound: Outbound): Promise<MysqlConnection> {
    const { default: mysql } = await import('mysql2')
    const { host, database, user = 'root', password = '', tls = false, ca } = settings
    const { port = defaultPort('mysql', tls) } = settings
    if (tls && isIP(host) !== 0) {
      throw new SqlError('tls', 'A secure connection to MySQL needs the name of the host, not its address')
    }
    try {
      const { address } = await outbound.resolve(host, port)
      const client = mysql.createConnection({
        host, // the certificate is for this name; the connection goes to the address
        stream: () => connect({ host: address, port, noDelay: true, keepAlive: true }),
        database,
        user,
        password,
        ...(tls && { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(ca !== undefined && { ca }) } }),
        charset: 'utf8mb4',
        connectTimeout: CONNECT_LIMIT_MS,
        supportBigNumbers: true,
        bigNumberStrings: true,
        dateStrings: true,
        jsonStrings: true,
        rowsAsArray: true,
        disableEval: true, // the driver would compile code with names of columns in it
        maxPreparedStatements: 4,
        flags: ['-FOUND_ROWS']
      })
      const connection = new MysqlConnection(settings, outbound, client)
      await connection.command(SESSION).catch((error) => {
        connection.destroy()
        throw error
      })
      return connection
    } catch (error) {
      throw fromMysql(error)
    }
  }

  get isMariadb(): boolean {
    return (this.#client as unknown as { _isMariaDB: boolean })._isMariaDB
  }

  /** Runs one statement, with its parameters sent separately. */
  async run(sql: string, values: readonly Parameter[] = []): Promise<readonly Row[]> {
    return this.#settled((done) => this.#client.execute({ sql, values: [...values] }, done))
  }

  /** Runs a statement that can't be prepared. */
  async command(sql: string): Promise<void> {
    await this.#settled((done) => this.#client.query(sql, done))
  }

  /** The columns that a statement answers with, without running it. */
  async columnsOf(sql: string): Promise<readonly Field[]> {
    const statement = await this.#settled<{ columns: readonly Field[]; close(): void }>((done) =>
      this.#client.prepare(sql, done as never)
    )
    this.#client.unprepare(sql)
    return statement.columns
  }

  /** Rows are taken as they arrive, or wait in the network. */
  async stream(sql: string, values: readonly Parameter[]): Promise<{ rows: RowQueue; fields: readonly Field[] }> {
    this.isBusy = true
    const command = this.#client.execute({ sql, values: [...values] })
    this.#streaming = command
    const rows = new RowQueue(command, this.#client)
    const fields = await new Promise<readonly Field[]>((resolve, reject) => {
      const over = () => {
        this.isBusy = false
        this.#streaming = undefined
      }
      command.once('fields', (found: unknown) => resolve(found as readonly Field[]))
      command.once('error', (error) => {
        over()
        reject(fromMysql(error))
      })
      command.once('end', () => {
        over()
        resolve([])
      })
    })
    return { rows, fields }
  }

  /** Begins a command that the driver does not know; the connection can't be used for anything else from then on. */
  start(command: ForeignCommand): void {
    this.isBusy = true
    ;(this.#client as unknown as { addCommand(command: ForeignCommand): void }).addCommand(command)
  }

  pause(): void {
    this.#client.pause()
  }

  resume(): void {
    this.#client.resume()
  }

  rollback(): Promise<unknown> {
    return this.command('ROLLBACK')
  }

  async endStatement(): Promise<void> {
    if (!this.isOpen) return
    const other = await MysqlConnection.open(this.#settings, this.#outbound)
    try {
      await other.command(`KILL ${Number(this.#client.threadId)}`)
    } finally {
      other.destroy()
    }
  }

  destroy(): void {
    this.isOpen = false
    this.#client.destroy()
  }

  #settled<T>(call: (done: (error: unknown, result?: unknown) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      call((error, result) => (error ? reject(fromMysql(error)) : resolve(result as T)))
    })
  }
}
