import type { Outbound } from '../../outbound/index.ts'
import type { ChangesRead, SqlChanges } from '../changes/index.ts'
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
import { parseTableName } from '../names.ts'
import { checkApply, checkWrite } from '../requests.ts'
import { Sessions } from '../sessions.ts'
import { gatherTables } from '../tables.ts'
import { applyMysql } from './apply.ts'
import { MysqlChanges } from './changes/index.ts'
import { MysqlConnection } from './connection.ts'
import { quoteTable } from './quote.ts'
import { readMysql } from './read.ts'
import { listedMysql, tablesQuery } from './tables.ts'
import { toColumn } from './types.ts'
import { writeMysql } from './write.ts'

export class MysqlDatabase implements SqlDatabase {
  readonly kind = 'mysql'
  readonly #settings: SqlSettings
  readonly #outbound: Outbound
  readonly #sessions: Sessions<MysqlConnection>
  readonly #ending = new AbortController()

  constructor(settings: SqlSettings, outbound: Outbound) {
    this.#settings = settings
    this.#outbound = outbound
    this.#sessions = new Sessions(() => MysqlConnection.open(settings, outbound))
  }

  read(request: SqlRead): AsyncIterable<SqlChunk> {
    return this.#sessions.read(request, readMysql)
  }

  changes(request: ChangesRead): SqlChanges {
    const signal = AbortSignal.any([this.#ending.signal, ...(request.signal === undefined ? [] : [request.signal])])
    const needs = { settings: this.#settings, outbound: this.#outbound, sessions: this.#sessions }
    return new MysqlChanges({ ...request, signal }, needs)
  }

  async write(request: SqlWrite): Promise<number> {
    checkWrite(request)
    return this.#sessions.run(request.signal, (connection) => writeMysql(connection, request))
  }

  async apply(request: SqlApply): Promise<Applied> {
    checkApply(request)
    return this.#sessions.run(request.signal, (connection) => applyMysql(connection, request))
  }

  async describe(table: string): Promise<SqlColumn[]> {
    const sql = `SELECT * FROM ${quoteTable(parseTableName(table))}`
    const fields = await this.#sessions.run(undefined, (connection) => connection.columnsOf(sql))
    return fields.map(toColumn)
  }

  async tables({ limit, signal }: { readonly limit: number; readonly signal?: AbortSignal }): Promise<SqlTables> {
    const version = await this.#sessions.run(signal, (connection) => connection.run('SELECT VERSION()'))
    const query = tablesQuery(String(version[0]?.[0]))
    const request = signal === undefined ? { query } : { query, signal }
    return gatherTables((read) => this.read(read), request, limit, listedMysql)
  }

  async check(): Promise<void> {
    await this.#sessions.run(undefined, (connection) => connection.run('SELECT 1'))
  }

  close(): Promise<void> {
    this.#ending.abort(closed())
    return this.#sessions.close()
  }
}
