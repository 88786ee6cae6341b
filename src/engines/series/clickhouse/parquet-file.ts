import {
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  TIMESTAMP_NS,
  UTINYINT,
  VARCHAR
} from '@duckdb/node-api'
import { GIVES_MEMORY_BACK } from '../../duckdb-memory.ts'
import type { TagRows } from '../query/rows.ts'

const CHUNK_ROWS = 2048
const TYPES = [VARCHAR, TIMESTAMP_NS, DOUBLE, VARCHAR, UTINYINT]

/** Writes Parquet with DuckDB, since not every version of ClickHouse can. */
export class ParquetFiles {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  static async open(temporaryFolder: string): Promise<ParquetFiles> {
    const instance = await DuckDBInstance.create(':memory:', {
      ...GIVES_MEMORY_BACK,
      threads: '1',
      memory_limit: '512MB',
      temp_directory: temporaryFolder,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false'
    })
    return new ParquetFiles(instance, await instance.connect())
  }

  /** Writes the tags in their order; answers how many points there were. Without any there is no file. */
  async write(path: string, tags: AsyncIterable<TagRows>): Promise<number> {
    await this.#connection.run(
      'create or replace table points (tag varchar, time timestamp_ns, value double, text varchar, quality utinyint)'
    )
    const appender = await this.#connection.createAppender('points')
    let points = 0
    for await (const rows of tags) {
      for (let from = 0; from < rows.length; from += CHUNK_ROWS) appendChunk(appender, rows, from)
      points += rows.length
    }
    appender.closeSync()
    if (points > 0) {
      await this.#connection.run(`copy points to '${path.replaceAll("'", "''")}' (format parquet, compression zstd)`)
    }
    return points
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

function appendChunk(appender: DuckDBAppender, rows: TagRows, from: number): void {
  const count = Math.min(CHUNK_ROWS, rows.length - from)
  const chunk = DuckDBDataChunk.create(TYPES, count)
  const places = Array.from({ length: count }, (_, i) => from + i)
  const exact = rows.exact[0]
  chunk.setColumnValues(
    0,
    places.map(() => rows.tag)
  )
  fill(
    chunk,
    1,
    BigInt64Array.from(places, (i) => timeOf(rows, i))
  )
  if (rows.type === 'string')
    chunk.setColumnValues(
      2,
      places.map(() => null)
    )
  else fill(chunk, 2, (rows.columns[0] as Float64Array).subarray(from, from + count))
  chunk.setColumnValues(
    3,
    places.map((i) => exact?.[i]?.toString() ?? null)
  )
  fill(
    chunk,
    4,
    Uint8Array.from(places, (i) => rows.quality?.[i] ?? 0)
  )
  appender.appendDataChunk(chunk)
}

function timeOf({ ms, subMsNs }: TagRows, row: number): bigint {
  return BigInt(ms[row] as number) * 1_000_000n + BigInt(subMsNs?.[row] ?? 0)
}

/** Copies into the vector's own array, which is many times faster than value by value. */
function fill(chunk: DuckDBDataChunk, column: number, values: BigInt64Array | Float64Array | Uint8Array): void {
  const vector = chunk.getColumnVector(column) as unknown as { items: typeof values; flush(): void }
  vector.items.set(values as never)
  vector.flush()
}
