import { randomUUID } from 'node:crypto'
import { ClickhouseClient } from '../../clickhouse/client.ts'
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

interface Call extends Bounds {
  readonly parameters?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

interface Bounds {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
  readonly maxBytes?: number
}

/** Runs statements over HTTP. */
export class ClickhouseServer {
  readonly #client: ClickhouseClient<OutboundResponse, Bounds>
  readonly #database: string
  readonly #reads = new Set<ServerRead>()
  #facts: Promise<Facts> | undefined
  #closed = false

  constructor(settings: SqlSettings, outbound: Outbound) {
    const { host, tls = false, ca, database, user = 'default', password = '' } = settings
    const { port = defaultPort('clickhouse', tls) } = settings
    const authority = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
    const origin = `${tls ? 'https' : 'http'}://${authority}:${port}`
    this.#client = new ClickhouseClient({
      user,
      password,
      carry: ({ path, headers, body }, { signal, timeoutMs, maxBytes }) =>
        outbound.request(`${origin}${path}`, {
          method: 'POST',
          headers,
          body,
          timeoutMs,
          ca,
          ...(maxBytes === undefined ? {} : { maxResponseBytes: maxBytes }),
          ...(signal === undefined ? {} : { signal })
        }),
      refusalOf: async (response) => fromAnswer(response.status, await response.text()),
      faultOf: fromCall
    })
    this.#database = database
  }

  /** The facts about the server: asked for once, and again after a failure. */
  facts(): Promise<Facts> {
    this.#facts ??= readFacts(this).catch((error) => {
      this.#facts = undefined
      throw error
    })
    return this.#facts
  }

  /** The whole answer of a statement, which has to be small. */
  ask(sql: string, signal?: AbortSignal): Promise<string> {
    return this.text({ body: sql, signal, timeoutMs: ASK_LIMIT_MS })
  }

  /** Inserts rows; the statement names their format. */
  async insert(statement: string, rows: string | Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    // Times that are sent as texts name their zone.
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
    const response = await this.#send({ maxBytes: SMALL_ANSWER_BYTES, ...call })
    return response.text().catch((error) => {
      throw fromCall(error)
    })
  }

  async *stream(call: Call): AsyncGenerator<Uint8Array> {
    const { body } = await this.#send({ ...call, maxBytes: Number.MAX_SAFE_INTEGER })
    yield* this.#client.read(body, call)
  }

  async #send({ parameters = {}, body, ...bounds }: Call): Promise<OutboundResponse> {
    if (this.#closed) throw closed()
    return this.#client.send({ database: this.#database, ...parameters }, body, bounds)
  }
}

/** Statements that only read, run one after the other; they can be ended together. */
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

  stream(sql: string): AsyncGenerator<Uint8Array> {
    return this.#server.stream(this.#call(sql))
  }

  end(): void {
    this.#onEnd()
  }

  /** Ends the statements on the server too: older versions do not notice a closed connection. */
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

  /** Sets no time limit: the reader watches the time. */
  #call(sql: string): Call {
    this.#statements += 1
    const parameters = { query_id: `${this.#id}-${this.#statements}`, ...this.#settings }
    return { parameters, body: sql, signal: this.#controller.signal, timeoutMs: MAX_TIMEOUT_MS }
  }
}
