import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Pool } from 'undici'
import { ClickhouseClient, exceptionCode } from '../../clickhouse/client.ts'
import { quoteText } from '../../clickhouse/quote.ts'
import { connectionFault, refusalOf } from './errors.ts'
import { allRows } from './row-binary.ts'
import type { ClickhouseSettings } from './settings.ts'

const CONNECT_LIMIT_MS = 3_000
const QUERY_LIMIT_S = 60
/** After that long without any bytes a request is given up; ClickHouse's own limit is shorter. */
const SILENCE_LIMIT_MS = (QUERY_LIMIT_S + 10) * 1000
const BUFFER_BYTES = 1 << 20
const MAX_ERROR_BYTES = 64 * 1024

interface Answer {
  readonly status: number
  readonly code: string | string[] | undefined
  readonly body: Readable
}

/**
 * Statements over HTTP. Every answer is completed on the server before its first byte is sent, since the protocol
 * can't report an error after that: an answer with status 200 is whole. So answers should be of bounded size.
 */
export class ClickhouseServer {
  readonly settings: ClickhouseSettings
  readonly #pool: Pool
  readonly #client: ClickhouseClient<Answer, AbortSignal | undefined>
  #insertSettings: Readonly<Record<string, string>> = {}

  constructor(settings: ClickhouseSettings) {
    this.settings = settings
    this.#pool = new Pool(settings.origin, {
      connections: 16,
      connect: { timeout: CONNECT_LIMIT_MS },
      headersTimeout: SILENCE_LIMIT_MS,
      bodyTimeout: SILENCE_LIMIT_MS
    })
    this.#client = new ClickhouseClient({
      ...settings,
      carry: async (request, signal) => {
        const answer = await this.#pool.request({ method: 'POST', ...request, signal: signal ?? null })
        const { statusCode: status, headers, body } = answer
        return { status, code: headers['x-clickhouse-exception-code'], body }
      },
      refusalOf: async ({ status, code, body }) => refusalOf(status, exceptionCode(await beginningOf(body), code)),
      faultOf: connectionFault
    })
  }

  /** Finds out which settings this version of ClickHouse knows. */
  async connect(): Promise<void> {
    const sql = `SELECT name FROM system.settings WHERE name = 'max_partitions_per_insert_block'`
    const known = await allRows(await this.select(sql), (row) => row.text())
    this.#insertSettings = {
      // Otherwise an insert is answered before the other shards have it.
      ...(this.settings.cluster === undefined ? {} : { insert_distributed_sync: '1' }),
      // Without limits: points of many years in one write could exceed them.
      ...Object.fromEntries(known.map((name) => [name, '0']))
    }
  }

  /** Rows in the RowBinary format. When the signal aborts, ClickHouse stops working on the statement. */
  async select(sql: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const id = randomUUID()
    const stop = () => this.run(`KILL QUERY WHERE query_id = ${quoteText(id)} ASYNC`).catch(() => {})
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await this.#send(`${sql} FORMAT RowBinary`, { query_id: id }, signal)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Resolves when ClickHouse has taken all rows. */
  async insert(table: string, columns: string, rows: Uint8Array): Promise<void> {
    const query = `INSERT INTO ${this.settings.database}.${table} (${columns}) FORMAT RowBinary`
    await drained(await this.#send(rows, { query, ...this.#insertSettings }))
  }

  /** Runs a statement that has no answer. */
  async run(sql: string, signal?: AbortSignal): Promise<void> {
    await drained(await this.#send(sql, {}, signal))
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #send(
    body: string | Uint8Array,
    parameters: Readonly<Record<string, string>>,
    signal?: AbortSignal
  ): Promise<AsyncIterable<Uint8Array>> {
    const answer = await this.#client.send({ ...this.#parameters(), ...parameters }, body, signal)
    return this.#client.read(answer.body, signal)
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
    // Writes and queries go to the same replica of a shard, so that a query sees what was written before; and an
    // answer without the points of one shard would be wrong.
    return { ...shared, load_balancing: 'in_order', skip_unavailable_shards: '0' }
  }
}

async function drained(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
}

async function beginningOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    if (length < MAX_ERROR_BYTES) pieces.push(piece)
    length += piece.length
  }
  return Buffer.concat(pieces).toString()
}
