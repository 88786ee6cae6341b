import type { Outbound } from '../../outbound/index.ts'
import type { SqlChunk, SqlColumn, SqlDatabase, SqlRead, SqlSettings, SqlWrite } from '../index.ts'
import { DEFAULT_TIMEOUT_MS } from '../limits.ts'
import { parseTableName } from '../names.ts'
import { checkWrite } from '../requests.ts'
import { Sessions } from '../sessions.ts'
import { PostgresConnection } from './connection.ts'
import { readPostgres } from './read.ts'
import { columnsOf } from './table.ts'
import { writePostgres } from './write.ts'

export class PostgresDatabase implements SqlDatabase {
  readonly kind = 'postgres'
  readonly #sessions: Sessions<PostgresConnection>

  constructor(settings: SqlSettings, outbound: Outbound) {
    this.#sessions = new Sessions(() => PostgresConnection.open(settings, outbound))
  }

  read(request: SqlRead): AsyncIterable<SqlChunk> {
    return this.#sessions.read(request, readPostgres)
  }

  async write(request: SqlWrite): Promise<number> {
    checkWrite(request)
    return this.#sessions.run(request.signal, (connection) => writePostgres(connection, request, DEFAULT_TIMEOUT_MS))
  }

  async describe(table: string): Promise<SqlColumn[]> {
    const name = parseTableName(table)
    const columns = await this.#sessions.run(undefined, (connection) => columnsOf(connection, name))
    return columns.map(({ name, type, nullable }) => ({ name, type, nullable: nullable === true }))
  }

  async check(): Promise<void> {
    await this.#sessions.run(undefined, (connection) => connection.run('SELECT 1'))
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }
}
