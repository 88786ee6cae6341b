import type { Outbound } from '../../outbound/index.ts'
import type { ChangesRead, SqlChanges, SqlReaders } from '../changes/index.ts'
import { closed } from '../errors.ts'
import type {
  Applied,
  SqlApply,
  SqlChunk,
  SqlColumn,
  SqlDatabase,
  SqlRead,
  SqlSettings,
  SqlTables,
  SqlWrite
} from '../index.ts'
import { DEFAULT_TIMEOUT_MS } from '../limits.ts'
import { parseTableName } from '../names.ts'
import { checkApply, checkWrite } from '../requests.ts'
import { Sessions } from '../sessions.ts'
import { gatherTables } from '../tables.ts'
import { applyPostgres } from './apply.ts'
import { PostgresChanges } from './changes/index.ts'
import { dropSlot, listSlots } from './changes/old-slots.ts'
import { PostgresConnection } from './connection.ts'
import { readPostgres } from './read.ts'
import { columnsOf } from './table.ts'
import { listedPostgres, TABLES } from './tables.ts'
import { writePostgres } from './write.ts'

export class PostgresDatabase implements SqlDatabase {
  readonly kind = 'postgres'
  readonly #settings: SqlSettings
  readonly #outbound: Outbound
  readonly #sessions: Sessions<PostgresConnection>
  readonly #ending = new AbortController()

  constructor(settings: SqlSettings, outbound: Outbound) {
    this.#settings = settings
    this.#outbound = outbound
    this.#sessions = new Sessions(() => PostgresConnection.open(settings, outbound))
  }

  read(request: SqlRead): AsyncIterable<SqlChunk> {
    return this.#sessions.read(request, readPostgres)
  }

  changes(request: ChangesRead): SqlChanges {
    const signal = AbortSignal.any([this.#ending.signal, ...(request.signal === undefined ? [] : [request.signal])])
    return new PostgresChanges(
      { ...request, signal },
      {
        settings: this.#settings,
        outbound: this.#outbound,
        sessions: this.#sessions
      }
    )
  }

  get readers(): SqlReaders {
    const run = <T>(work: (connection: PostgresConnection) => Promise<T>) => this.#sessions.run(undefined, work)
    return {
      list: (prefix) => run((connection) => listSlots(connection, prefix)),
      forget: (reader) => run((connection) => dropSlot(connection, reader))
    }
  }

  async write(request: SqlWrite): Promise<number> {
    checkWrite(request)
    return this.#sessions.run(request.signal, (connection) => writePostgres(connection, request, DEFAULT_TIMEOUT_MS))
  }

  async apply(request: SqlApply): Promise<Applied> {
    checkApply(request)
    return this.#sessions.run(request.signal, (connection) => applyPostgres(connection, request, DEFAULT_TIMEOUT_MS))
  }

  async describe(table: string): Promise<SqlColumn[]> {
    const name = parseTableName(table)
    const columns = await this.#sessions.run(undefined, (connection) => columnsOf(connection, name))
    return columns.map(({ name, type, nullable }) => ({ name, type, nullable: nullable === true }))
  }

  tables({ limit, signal }: { readonly limit: number; readonly signal?: AbortSignal }): Promise<SqlTables> {
    const statement = signal === undefined ? { query: TABLES } : { query: TABLES, signal }
    return gatherTables((request) => this.read(request), statement, limit, listedPostgres)
  }

  async check(): Promise<void> {
    await this.#sessions.run(undefined, (connection) => connection.run('SELECT 1'))
  }

  close(): Promise<void> {
    this.#ending.abort(closed())
    return this.#sessions.close()
  }
}
