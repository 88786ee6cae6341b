import { isIP } from 'node:net'
import type pg from 'pg'
import type { Outbound } from '../../outbound/index.ts'
import { defaultPort } from '../default-port.ts'
import type { SqlSettings } from '../index.ts'
import { CONNECT_LIMIT_MS } from '../limits.ts'
import type { SessionConnection } from '../sessions.ts'
import { fromPostgres } from './errors.ts'

export type TextRow = readonly (string | null)[]

export interface TextResult {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  readonly rows: readonly TextRow[]
}

/** Values stay the text that PostgreSQL sends; `types.ts` decides what they mean. */
const AS_TEXT = { getTypeParser: () => (value: unknown) => value }

export class PostgresConnection implements SessionConnection {
  readonly #settings: SqlSettings
  readonly #outbound: Outbound
  readonly #client: pg.Client
  #serverProcess: string | undefined
  readonly isBusy = false
  isOpen = true

  private constructor(settings: SqlSettings, outbound: Outbound, client: pg.Client) {
    this.#settings = settings
    this.#outbound = outbound
    this.#client = client
    const lost = () => {
      this.isOpen = false
    }
    client.on('error', lost)
    client.on('end', lost)
  }

  static async open(settings: SqlSettings, outbound: Outbound): Promise<PostgresConnection> {
    const { default: pg } = await import('pg')
    const { host, database, user = 'postgres', password = '', tls = false } = settings
    const { port = defaultPort('postgres', tls) } = settings
    try {
      const { address } = await outbound.resolve(host, port)
      const client = new pg.Client({
        host: address,
        port,
        database,
        user,
        // A function, because the driver would otherwise look for a password in the environment.
        password: () => password,
        ssl: tls ? { rejectUnauthorized: true, ...(isIP(host) === 0 ? { servername: host } : {}) } : false,
        connectionTimeoutMillis: CONNECT_LIMIT_MS,
        keepAlive: true,
        application_name: 'millrace',
        types: AS_TEXT as unknown as pg.CustomTypesConfig
      })
      const connection = new PostgresConnection(settings, outbound, client)
      await client.connect()
      return connection
    } catch (error) {
      throw fromPostgres(error)
    }
  }

  /**
   * Begins a transaction in one round trip. Settings hold for the transaction only, since a pooler in between may
   * give the next one to another session.
   */
  async begin(mode: 'read' | 'write', timeoutMs: number): Promise<void> {
    const level = mode === 'read' ? 'ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'READ WRITE'
    const settings = [
      `statement_timeout = ${timeoutMs}`,
      "timezone = 'UTC'",
      "datestyle = 'ISO, YMD'",
      "intervalstyle = 'postgres'",
      "bytea_output = 'hex'",
      'extra_float_digits = 3',
      // By default cursors are planned as if only a tenth of the rows were read; here all are.
      'cursor_tuple_fraction = 1'
    ]
    const set = settings.map((setting) => `SET LOCAL ${setting}`).join('; ')
    const text = `BEGIN ${level}; ${set}; SELECT pg_backend_pid()`
    const results = (await this.#call({ text, rowMode: 'array' })) as unknown as TextResult[]
    this.#serverProcess = results.at(-1)?.rows[0]?.[0] ?? undefined
  }

  /** Runs exactly one statement, whatever the text holds. */
  async run(text: string, values: readonly (string | null)[] = []): Promise<TextResult> {
    return this.#call({ text, values: [...values], rowMode: 'array', queryMode: 'extended' })
  }

  rollback(): Promise<unknown> {
    return this.run('ROLLBACK')
  }

  async endStatement(): Promise<void> {
    if (this.#serverProcess === undefined || !this.isOpen) return
    const other = await PostgresConnection.open(this.#settings, this.#outbound)
    try {
      await other.run('SELECT pg_cancel_backend($1::int)', [this.#serverProcess])
    } finally {
      other.destroy()
    }
  }

  destroy(): void {
    this.isOpen = false
    // The connection ends with its socket; an orderly end would wait for the statement under way.
    this.#client.end().catch(() => {})
    ;(this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }

  async #call(config: object): Promise<TextResult> {
    try {
      return (await this.#client.query(config as pg.QueryConfig)) as unknown as TextResult
    } catch (error) {
      throw fromPostgres(error)
    }
  }
}
