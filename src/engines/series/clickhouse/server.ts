import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Pool } from 'undici'
import { connectionFault, refusalOf } from './errors.ts'
import { quote } from './quote.ts'
import { allRows } from './row-binary.ts'
import type { ClickhouseSettings } from './settings.ts'

const CONNECT_LIMIT_MS = 3_000
const QUERY_LIMIT_S = 60
/** After that long without a sign of life it is given up; longer than ClickHouse may take. */
const SILENCE_LIMIT_MS = (QUERY_LIMIT_S + 10) * 1000
const BUFFER_BYTES = 1 << 20
const MAX_ERROR_BYTES = 64 * 1024

/**
 * Statements over HTTP. Every answer is finished on the server before its first byte is sent, since the protocol has no
 * way to tell of a fault after that: what comes with status 200 is whole. So answers should be of bounded size.
 */
export class ClickhouseServer {
  readonly settings: ClickhouseSettings
  readonly #pool: Pool
  readonly #authorization: string
  #insertSettings: Readonly<Record<string, string>> = {}

  constructor(settings: ClickhouseSettings) {
    this.settings = settings
    this.#pool = new Pool(settings.origin, {
      connections: 16,
      connect: { timeout: CONNECT_LIMIT_MS },
      headersTimeout: SILENCE_LIMIT_MS,
      bodyTimeout: SILENCE_LIMIT_MS
    })
    this.#authorization = `Basic ${Buffer.from(`${settings.user}:${settings.password}`).toString('base64')}`
  }

  /** Finds out what this version of ClickHouse can be told. */
  async connect(): Promise<void> {
    const sql = `SELECT name FROM system.settings WHERE name = 'max_partitions_per_insert_block'`
    const known = await allRows(await this.select(sql), (row) => row.text())
    this.#insertSettings = {
      // Else an insert is answered before the other shards have it.
      ...(this.settings.cluster === undefined ? {} : { insert_distributed_sync: '1' }),
      // Where there is a limit, points of many years in one write would pass it.
      ...Object.fromEntries(known.map((name) => [name, '0']))
    }
  }

  /** Rows in the RowBinary format. Where the signal comes first, ClickHouse stops working on it. */
  async select(sql: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const id = randomUUID()
    const stop = () => this.run(`KILL QUERY WHERE query_id = ${quote(id)} ASYNC`).catch(() => {})
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return guarded(await this.#send(`${sql} FORMAT RowBinary`, { query_id: id }, undefined, signal), signal)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Resolves when ClickHouse has taken all rows. */
  async insert(table: string, columns: string, rows: Uint8Array): Promise<void> {
    const query = `INSERT INTO ${this.settings.database}.${table} (${columns}) FORMAT RowBinary`
    await drained(await this.#send('', { query, ...this.#insertSettings }, rows, undefined))
  }

  /** A statement without an answer. */
  async run(sql: string, signal?: AbortSignal): Promise<void> {
    await drained(await this.#send(sql, {}, undefined, signal))
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #send(
    sql: string,
    parameters: Readonly<Record<string, string>>,
    rows: Uint8Array | undefined,
    signal: AbortSignal | undefined
  ): Promise<Readable> {
    const all = new URLSearchParams({ ...this.#parameters(), ...parameters })
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        method: 'POST',
        path: `/?${all}`,
        headers: { authorization: this.#authorization },
        body: rows ?? sql,
        signal: signal ?? null
      })
      if (statusCode === 200) return body
      throw refusalOf(statusCode, await codeOf(headers['x-clickhouse-exception-code'], body))
    } catch (error) {
      throw connectionFault(error, signal)
    }
  }

  /** Settings that every version since 18.16 knows; a server refuses those that it does not know. */
  #parameters(): Record<string, string> {
    const shared = {
      wait_end_of_query: '1',
      buffer_size: String(BUFFER_BYTES),
      max_execution_time: String(QUERY_LIMIT_S),
      max_query_size: String(16 << 20)
    }
    if (this.settings.cluster === undefined) return shared
    // Writes and queries go to the same replica of a shard, so that a query sees what was written before; and an answer
    // without the points of a shard would be a wrong one.
    return { ...shared, load_balancing: 'in_order', skip_unavailable_shards: '0' }
  }
}

async function* guarded(body: Readable, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw connectionFault(error, signal)
  }
}

async function drained(body: Readable): Promise<void> {
  for await (const _ of guarded(body, undefined));
}

/** Newer versions tell the number in a header, older ones at the beginning of the text only. */
async function codeOf(header: string | string[] | undefined, body: Readable): Promise<number | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    if (length < MAX_ERROR_BYTES) pieces.push(piece)
    length += piece.length
  }
  const digits = typeof header === 'string' ? header : /Code: (\d+)/.exec(Buffer.concat(pieces).toString())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
