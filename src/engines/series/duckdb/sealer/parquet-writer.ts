import {
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  INTEGER,
  TIMESTAMP_NS,
  UTINYINT
} from '@duckdb/node-api'
import { GIVES_MEMORY_BACK } from '../../../duckdb-memory.ts'
import { NS_PER_DAY } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'

const CHUNK_ROWS = 2048
const ROW_GROUP_ROWS = 122_880
/**
 * Options of the files. Measured on values with two decimals every ten seconds: without dictionaries, which DuckDB
 * gives up early by default, a point takes half as much room again; bloom filters would only help to find single
 * values.
 */
const FORM = `format parquet, parquet_version v2, compression zstd, row_group_size ${ROW_GROUP_ROWS},
  dictionary_size_limit ${ROW_GROUP_ROWS / 2}, write_bloom_filter false`
const TWO_TO_32 = 4_294_967_296

/**
 * Writes Parquet with DuckDB: points go into a table in memory, in the order of the file, and are copied from there
 * to the file.
 */
export class ParquetWriter {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  static async open(temporary: string): Promise<ParquetWriter> {
    // One thread keeps the rows in order, and leaves the other cores to queries.
    const instance = await DuckDBInstance.create(':memory:', {
      ...GIVES_MEMORY_BACK,
      threads: '1',
      memory_limit: '192MB',
      temp_directory: temporary,
      // Keeps the points on the side of a join whose order is kept.
      disabled_optimizers: 'join_order,build_side_probe_side',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false'
    })
    return new ParquetWriter(instance, await instance.connect())
  }

  async begin(): Promise<ParquetFile> {
    await this.#connection.run(`
      create or replace table points (id integer, time timestamp_ns, value double, quality utinyint);
      create or replace table names (id integer, tag varchar);
      create or replace table texts (row_number bigint, text varchar)`)
    return new ParquetFile(this.#connection, {
      points: await this.#connection.createAppender('points'),
      names: await this.#connection.createAppender('names'),
      texts: await this.#connection.createAppender('texts')
    })
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

interface Appenders {
  readonly points: DuckDBAppender
  readonly names: DuckDBAppender
  readonly texts: DuckDBAppender
}

/** A file that is being filled. */
export class ParquetFile {
  rows = 0
  #hasText = false
  #hasQuality = false
  readonly #connection: DuckDBConnection
  readonly #into: Appenders
  readonly #chunks: Chunks

  constructor(connection: DuckDBConnection, into: Appenders) {
    this.#connection = connection
    this.#into = into
    this.#chunks = new Chunks(into.points)
  }

  /** Adds points. Tags come in the order of the file, each once; their points are sorted by time. */
  add(id: number, name: string, segment: Segment): void {
    this.#into.names.appendInteger(id)
    this.#into.names.appendVarchar(name)
    this.#into.names.endRow()
    if (segment.quality !== undefined) this.#hasQuality = true
    segment.exact?.forEach((value, row) => {
      if (value !== undefined) this.#addText(this.rows + row, String(value))
    })
    this.#chunks.fill(id, segment)
    this.rows += segment.length
  }

  async finish(path: string): Promise<void> {
    this.#chunks.flush()
    for (const appender of [this.#into.points, this.#into.names, this.#into.texts]) appender.closeSync()
    const value = this.#hasText ? 'case when isnan(value) then null else value end as value, text' : 'value'
    // A join in which all rows find a partner keeps the order; one where some do not, does not.
    const texts = this.#hasText ? 'left join texts on points.rowid = texts.row_number order by points.rowid' : ''
    await this.#connection.run(`
      copy (
        select tag, id, time, ${value}${this.#hasQuality ? ', quality' : ''}
        from points join names using (id) ${texts}
      ) to '${path.replaceAll("'", "''")}' (${FORM})`)
    await this.#connection.run('drop table points; drop table names; drop table texts')
  }

  #addText(row: number, text: string): void {
    this.#hasText = true
    this.#into.texts.appendBigInt(BigInt(row))
    this.#into.texts.appendVarchar(text)
    this.#into.texts.endRow()
  }
}

/** Fills DuckDB's own vectors through their arrays, which is many times faster than value by value. */
class Chunks {
  readonly #appender: DuckDBAppender
  readonly #chunk = DuckDBDataChunk.create([INTEGER, TIMESTAMP_NS, DOUBLE, UTINYINT], CHUNK_ROWS)
  readonly #ids = new Int32Array(CHUNK_ROWS)
  readonly #times = new BigInt64Array(CHUNK_ROWS)
  /** Times as pairs of 32 bits: a bigint for each would take longer than all the rest. */
  readonly #timeWords = new Uint32Array(this.#times.buffer)
  readonly #values = new Float64Array(CHUNK_ROWS)
  readonly #quality = new Uint8Array(CHUNK_ROWS)
  #rows = 0

  constructor(appender: DuckDBAppender) {
    this.#appender = appender
  }

  fill(id: number, { day, length, ns, values, quality }: Segment): void {
    const start = BigInt.asUintN(64, BigInt(day) * BigInt(NS_PER_DAY))
    const startLow = Number(start & 0xffffffffn)
    const startHigh = Number(start >> 32n)
    for (let row = 0; row < length; row++) {
      const at = this.#rows
      const time = ns[row] as number
      const high = Math.floor(time / TWO_TO_32)
      const low = time - high * TWO_TO_32 + startLow
      this.#ids[at] = id
      this.#timeWords[at * 2] = low
      this.#timeWords[at * 2 + 1] = startHigh + high + (low >= TWO_TO_32 ? 1 : 0)
      this.#values[at] = values[row] as number
      this.#quality[at] = quality === undefined ? 0 : (quality[row] as number)
      this.#rows++
      if (this.#rows === CHUNK_ROWS) this.flush()
    }
  }

  flush(): void {
    const rows = this.#rows
    if (rows === 0) return
    this.#chunk.rowCount = rows
    const columns = [this.#ids, this.#times, this.#values, this.#quality]
    columns.forEach((column, index) => {
      const vector = this.#chunk.getColumnVector(index) as unknown as { items: typeof column; flush(): void }
      vector.items.set(column.subarray(0, rows) as never)
      vector.flush()
    })
    this.#appender.appendDataChunk(this.#chunk)
    this.#rows = 0
  }
}
