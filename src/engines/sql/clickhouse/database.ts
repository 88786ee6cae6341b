import type { Outbound } from '../../outbound/index.ts'
import { SqlError } from '../errors.ts'
import type { SqlChunk, SqlColumn, SqlDatabase, SqlRead, SqlSettings, SqlTables, SqlWrite } from '../index.ts'
import { parseTableName } from '../names.ts'
import { boundsOf, checkWrite } from '../requests.ts'
import { notAboutRows } from '../sessions.ts'
import { gatherTables } from '../tables.ts'
import { Watch } from '../watch.ts'
import { quoteTable } from './quote.ts'
import { beginAnswer, readRows } from './read.ts'
import { ClickhouseServer } from './server.ts'
import { describe } from './source.ts'
import { listedClickhouse, TABLES } from './tables.ts'
import { toColumn } from './types.ts'
import { writeClickhouse } from './write.ts'

export class ClickhouseDatabase implements SqlDatabase {
  readonly kind = 'clickhouse'
  readonly #server: ClickhouseServer

  constructor(settings: SqlSettings, outbound: Outbound) {
    this.#server = new ClickhouseServer(settings, outbound)
  }

  async *read(request: SqlRead): AsyncGenerator<SqlChunk> {
    const bounds = boundsOf(request)
    request.signal?.throwIfAborted()
    const read = await this.#server.beginRead()
    const watch = new Watch({ signal: request.signal, timeoutMs: bounds.timeoutMs, stop: () => void read.stop() })
    let isWhole = false
    try {
      const answer = await watch.run(() => beginAnswer(read, request))
      for await (const chunk of readRows(answer, request, bounds, watch)) {
        watch.throwIfStopped()
        yield chunk
      }
      isWhole = true
    } catch (error) {
      throw notAboutRows(error)
    } finally {
      watch.end()
      if (isWhole) read.end()
      else await read.stop()
    }
  }

  async write(request: SqlWrite): Promise<number> {
    checkWrite(request)
    request.signal?.throwIfAborted()
    try {
      return await writeClickhouse(this.#server, request)
    } catch (error) {
      request.signal?.throwIfAborted()
      throw error
    }
  }

  async describe(table: string): Promise<SqlColumn[]> {
    const columns = await describe(this.#server, `SELECT * FROM ${quoteTable(parseTableName(table))}`)
    return columns.map(({ name, type }) => toColumn(name, type))
  }

  tables({ limit, signal }: { readonly limit: number; readonly signal?: AbortSignal }): Promise<SqlTables> {
    const statement = signal === undefined ? { query: TABLES } : { query: TABLES, signal }
    return gatherTables((request) => this.read(request), statement, limit, listedClickhouse)
  }

  async check(): Promise<void> {
    // Any web server answers something.
    if ((await this.#server.ask('SELECT 1')).trim() === '1') return
    const message = 'What answers there does not speak as ClickHouse does; check host and port'
    throw new SqlError('unreachable', message, { isTransient: false })
  }

  close(): Promise<void> {
    return this.#server.close()
  }
}
