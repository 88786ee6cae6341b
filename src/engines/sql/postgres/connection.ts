import { isIP } from 'node:net'
import type pg from 'pg'
import type { Outbound } from '../../outbound/index.ts'
import { defaultPort } from '../default-port.ts'
import { SqlError } from '../errors.ts'
import type { SqlSettings } from '../index.ts'
import { CONNECT_LIMIT_MS } from '../limits.ts'
import type { SessionConnection } from '../sessions.ts'
import { CopyOut } from './copy-out.ts'
import { type CopyTap, tapCopies } from './copy-tap.ts'
import { fromPostgres } from './errors.ts'

export type TextRow = readonly (string | null)[]

export interface TextResult {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  readonly rows: readonly TextRow[]
}

/** Values stay the text that PostgreSQL sends; `types.ts` decides what they mean. */
const AS_TEXT = { getTypeParser: () => (value: unknown) => value }

/** What texts of values look like, whatever the server prefers. */
export const TEXT_FORMS = [
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'postgres'",
  "bytea_output = 'hex'",
  'extra_float_digits = 3'
]

/** A client that is not connected yet. The address is resolved here, so that the driver never asks for one by itself. */
export async function clientFor(settings: SqlSettings, outbound: Outbound, more: object = {}): Promise<pg.Client> {
  const { default: pg } = await import('pg')
  const { host, database, user = 'postgres', password = '', tls = false, ca } = settings
  const { port = defaultPort('postgres', tls) } = settings
  const { address } = await outbound.resolve(host, port)
  return new pg.Client({
    host: address,
    port,
    database,
    user,
    // A function, because the driver would otherwise look for a password in the environment.
    password: () => password,
    ssl: tls
      ? { rejectUnauthorized: true, ...(isIP(host) === 0 && { servername: host }), ...(ca !== undefined && { ca }) }
      : false,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    application_name: 'millrace',
    types: AS_TEXT as unknown as pg.CustomTypesConfig,
    ...more
  })
}

/** The driver has no words for servers that answer in another language. */
function orStranger(error: unknown): unknown {
  if (error instanceof SqlError || error instanceof TypeError) return error
  const message = 'What answers there does not speak as PostgreSQL does; check host and port'
  return new SqlError('unreachable', message, { isTransient: false })
}

export class PostgresConnection implements SessionConnection {
  readonly #settings: SqlSettings
  readonly #outbound: Outbound
  readonly #client: pg.Client
  readonly #tap: CopyTap
  #serverProcess: string | undefined
  isOpen = true

  private constructor(settings: SqlSettings, outbound: Outbound, client: pg.Client) {
    this.#settings = settings
    this.#outbound = outbound
    this.#client = client
    this.#tap = tapCopies(client)
    const lost = () => {
      this.isOpen = false
    }
    client.on('error', lost)
    client.on('end', lost)
  }

  static async open(settings: SqlSettings, outbound: Outbound): Promise<PostgresConnection> {
    try {
      const client = await clientFor(settings, outbound)
      const connection = new PostgresConnection(settings, outbound, client)
      await client.connect()
      return connection
    } catch (error) {
      throw orStranger(fromPostgres(error))
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
      ...TEXT_FORMS,
      // By default cursors are planned as if only a tenth of the rows were read; here all are.
      'cursor_tuple_fraction = 1'
    ]
    const set = settings.map((setting) => `SET LOCAL ${setting}`).join('; ')
    const results = await this.runAll(`BEGIN ${level}; ${set}; SELECT pg_backend_pid()`)
    this.#serverProcess = results.at(-1)?.rows[0]?.[0] ?? undefined
  }

  /** Runs several statements in one round trip; nothing that somebody else wrote may be among them. */
  async runAll(text: string): Promise<readonly TextResult[]> {
    return (await this.#call({ text, rowMode: 'array' })) as unknown as TextResult[]
  }

  /** Runs exactly one statement, whatever the text holds. */
  async run(text: string, values: readonly (string | null)[] = []): Promise<TextResult> {
    return this.#call({ text, values: [...values], rowMode: 'array', queryMode: 'extended' })
  }

  /** Begins a COPY to this side. Its answer has to be read to the end before anything else is asked here. */
  copy(text: string, limits: { readonly rows: number; readonly bytes: number }): CopyOut {
    const copy = new CopyOut(text, limits)
    this.#tap.copy = copy
    this.#client.query(copy as unknown as pg.Submittable)
    return copy
  }

  get isBusy(): boolean {
    return this.#tap.copy?.isOpen ?? false
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
