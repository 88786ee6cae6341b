import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { NS_PER_DAY } from '../../../parse/points.ts'
import type { Row } from './points.ts'

export const DAY = 19_848

export interface FileOptions {
  readonly version: 'v1' | 'v2'
  readonly rowGroupRows: number
  /** The share of distinct values in a row group up to which a column gets a dictionary. */
  readonly dictionaryShare: number
  readonly codec: 'zstd' | 'uncompressed' | 'snappy'
}

export const OPTIONS: FileOptions = { version: 'v2', rowGroupRows: 2048, dictionaryShare: 0.5, codec: 'zstd' }

/** Writes files with DuckDB, in a folder of its own. */
export class FileMaker {
  readonly #folder = mkdtempSync(join(tmpdir(), 'millrace-parquet-'))
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  #files = 0

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  static async open(): Promise<FileMaker> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    return new FileMaker(instance, await instance.connect())
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
    rmSync(this.#folder, { recursive: true })
  }

  /** The columns `text` and `quality` exist if any row has one. */
  async write(rows: readonly Row[], options: FileOptions = OPTIONS): Promise<string> {
    await this.#fill(rows)
    const columns = ['text', 'quality'].filter((name) => rows.some((row) => row[name as 'text'] !== undefined))
    const time = `make_timestamp_ns(${BigInt(DAY) * BigInt(NS_PER_DAY)} + ns) as time`
    return this.copy(`select tag, id, ${[time, 'value', ...columns].join(', ')} from points`, options)
  }

  async copy(select: string, options: FileOptions = OPTIONS): Promise<string> {
    const { version, rowGroupRows, dictionaryShare, codec } = options
    this.#files += 1
    const path = join(this.#folder, `${this.#files}.parquet`)
    await this.#connection.run(`
      copy (${select}) to '${path}' (format parquet, parquet_version ${version}, compression ${codec},
        row_group_size ${rowGroupRows}, dictionary_size_limit ${Math.floor(rowGroupRows * dictionaryShare)},
        write_bloom_filter false)`)
    return path
  }

  /** Each column with each of its encodings, such as `time PLAIN`. */
  async encodings(path: string): Promise<string[]> {
    const reader = await this.#connection.runAndReadAll(`
      select distinct path_in_schema || ' ' || unnest(string_split(encodings, ', ')) from parquet_metadata('${path}')`)
    return reader.getRowsJS().map(([encoding]) => String(encoding))
  }

  async #fill(rows: readonly Row[]): Promise<void> {
    await this.#connection.run(
      'create or replace table points (tag varchar, id integer, ns bigint, value double, text varchar, quality utinyint)'
    )
    const appender = await this.#connection.createAppender('points')
    for (const { id, ns, value, text, quality } of rows) {
      appender.appendVarchar(`tag ${id}`)
      appender.appendInteger(id)
      appender.appendBigInt(BigInt(ns))
      if (value === undefined) appender.appendNull()
      else appender.appendDouble(value)
      if (text === undefined) appender.appendNull()
      else appender.appendVarchar(text)
      if (quality === undefined) appender.appendNull()
      else appender.appendUTinyInt(quality)
      appender.endRow()
    }
    appender.closeSync()
  }
}
