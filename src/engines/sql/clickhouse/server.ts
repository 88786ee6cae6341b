import { randomUUID } from 'node:crypto'
import type { Outbound, OutboundResponse } from '../../outbound/index.ts'
import { defaultPort } from '../default-port.ts'
import { closed } from '../errors.ts'
import type { SqlSettings } from '../index.ts'
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from '../limits.ts'
import { fromAnswer, fromCall } from './errors.ts'
import { type Facts, readFacts } from './facts.ts'
import { quoteText } from './quote.ts'

const SMALL_ANSWER_BYTES = 16 << 20
const ASK_LIMIT_MS = 30_000

interface Call {
  readonly parameters?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
  readonly maxBytes?: number
}

/** Statements over HTTP. */
export class ClickhouseServer {
  readonly #outbound: Outbound
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #database: string
  readonly #reads = new Set<ServerRead>()
  #facts: Promise<Facts> | undefined
  #closed = false

  constructor(settings: SqlSettings, outbound: Outbound) {
    const { host, tls = false, database, user = 'default', password = '' } = settings
    const { port = defaultPort('clickhouse', tls) } = settings
    this.#outbound = outbound
    const authority = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
    this.#url = `${tls ? 'https' : 'http'}://${authority}:${port}/`
    this.#headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
    this.#database = database
  }

  /** Asked for once, and again after a failure. */
  facts(): Promise<Facts> {
    this.#facts ??= readFacts(this).catch((error) => {
      this.#facts = undefined
      throw error
    })
    return this.#facts
  }

  /** The whole answer of a statement whose answer is small. */
  ask(sql: string, signal?: AbortSignal): Promise<string> {
    return this.text({ body: sql, signal, timeoutMs: ASK_LIMIT_MS })
  }

  /** The statement names the format of the rows. */
  async insert(statement: string, rows: string | Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    // Times that go as texts name their zone.
    const parameters = { query: statement, date_time_input_format: 'best_effort' }
    await this.text({ parameters, body: rows, signal, timeoutMs: DEFAULT_TIMEOUT_MS })
  }

  async beginRead(): Promise<ServerRead> {
    const { settings } = await this.facts()
    const read = new ServerRead(this, settings, () => this.#reads.delete(read))
    this.#reads.add(read)
    return read
  }

  async close(): Promise<void> {
    const ending = [...this.#reads].map((read) => read.stop())
    await Promise.all(ending)
    this.#closed = true
  }

  async text(call: Call): Promise<string> {
    const response = await this.send({ maxBytes: SMALL_ANSWER_BYTES, ...call })
    return response.text().catch((error) => {
      throw fromCall(error)
    })
  }

  async send({ parameters = {}, body, signal, timeoutMs, maxBytes }: Call): Promise<OutboundResponse> {
    if (this.#closed) throw closed()
    const query = new URLSearchParams({ database: this.#database, ...parameters })
    try {
      const response = await this.#outbound.request(`${this.#url}?${query}`, {
        method: 'POST',
        headers: this.#headers,
        body,
        timeoutMs,
        ...(maxBytes === undefined ? {} : { maxResponseBytes: maxBytes }),
        ...(signal === undefined ? {} : { signal })
      })
      if (response.status === 200) return response
      throw fromAnswer(response.status, await response.text())
    } catch (error) {
      throw fromCall(error)
    }
  }
}

/** Statements that only read, one after the other; they can be ended together. */
export class ServerRead {
  readonly #server: ClickhouseServer
  readonly #settings: Readonly<Record<string, string>>
  readonly #onEnd: () => void
  readonly #id = randomUUID()
  readonly #controller = new AbortController()
  #statements = 0
  #stopped: Promise<void> | undefined

  constructor(server: ClickhouseServer, settings: Readonly<Record<string, string>>, onEnd: () => void) {
    this.#server = server
    this.#settings = settings
    this.#onEnd = onEnd
  }

  ask(sql: string): Promise<string> {
    return this.#server.text(this.#call(sql))
  }

  async *stream(sql: string): AsyncGenerator<Uint8Array> {
    const response = await this.#server.send({ ...this.#call(sql), maxBytes: Number.MAX_SAFE_INTEGER })
    try {
      yield* response.body
    } catch (error) {
      throw fromCall(error)
    }
  }

  end(): void {
    this.#onEnd()
  }

  /** Ends what is under way on the server too, which older versions do not do by themselves. */
  stop(): Promise<void> {
    this.#stopped ??= this.#kill()
    return this.#stopped
  }

  async #kill(): Promise<void> {
    this.end()
    this.#controller.abort()
    const own = `substring(query_id, 1, ${this.#id.length}) = ${quoteText(this.#id)}`
    await this.#server.ask(`KILL QUERY WHERE ${own} ASYNC`).catch(() => {})
  }

  /** How long it takes is watched by whoever reads. */
  #call(sql: string): Call {
    this.#statements += 1
    const parameters = { query_id: `${this.#id}-${this.#statements}`, ...this.#settings }
    return { parameters, body: sql, signal: this.#controller.signal, timeoutMs: MAX_TIMEOUT_MS }
  }
}
