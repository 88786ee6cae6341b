import type { Outbound } from '../../outbound/index.ts'
import type { SqlChunk, SqlColumn, SqlDatabase, SqlRead, SqlSettings, SqlWrite } from '../index.ts'
import { parseTableName } from '../names.ts'
import { checkWrite } from '../requests.ts'
import { Sessions } from '../sessions.ts'
import { MysqlConnection } from './connection.ts'
import { quoteTable } from './quote.ts'
import { readMysql } from './read.ts'
import { toColumn } from './types.ts'
import { writeMysql } from './write.ts'

export class MysqlDatabase implements SqlDatabase {
  readonly kind = 'mysql'
  readonly #sessions: Sessions<MysqlConnection>

  constructor(settings: SqlSettings, outbound: Outbound) {
    this.#sessions = new Sessions(() => MysqlConnection.open(settings, outbound))
  }

  read(request: SqlRead): AsyncIterable<SqlChunk> {
    return this.#sessions.read(request, readMysql)
  }

  async write(request: SqlWrite): Promise<number> {
    checkWrite(request)
    return this.#sessions.run(request.signal, (connection) => writeMysql(connection, request))
  }

  async describe(table: string): Promise<SqlColumn[]> {
    const sql = `SELECT * FROM ${quoteTable(parseTableName(table))}`
    const fields = await this.#sessions.run(undefined, (connection) => connection.columnsOf(sql))
    return fields.map(toColumn)
  }

  async check(): Promise<void> {
    await this.#sessions.run(undefined, (connection) => connection.run('SELECT 1'))
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }
}
