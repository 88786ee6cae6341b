import type { Outbound } from '../../outbound/index.ts'
import { Api } from '../machines/api.ts'
import { linesOf } from '../machines/lines.ts'
import { type Series, seriesIn } from './answers.ts'
import type { Measurement } from './columns.ts'
import type { InfluxSettings } from './config.ts'
import { fromInflux, quoted } from './errors.ts'

/** One line of an answer, which has a chunk of rows. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

/** Questions in InfluxQL. */
export class Influx {
  readonly api: Api
  readonly #settings: InfluxSettings

  constructor(settings: InfluxSettings, outbound: Outbound) {
    this.#settings = settings
    this.api = new Api(settings, outbound)
  }

  /** The rows of an answer as they come; leaving the loop ends it on the server. */
  async *ask(query: string, signal: AbortSignal, chunkRows = 10_000): AsyncGenerator<Series> {
    const form = { db: this.#settings.database, q: query, chunked: 'true', chunk_size: String(chunkRows) }
    const answer = await this.api.call('/query', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      maxResponseBytes: Number.MAX_SAFE_INTEGER,
      signal
    })
    const refused = (said: string) => fromInflux(answer.status, said, this.#settings)
    if (answer.status !== 200) throw refused(await answer.beginning())
    for await (const line of linesOf(answer.parts(), MAX_LINE_BYTES)) {
      if (line !== '') yield* seriesIn(line, refused)
    }
  }

  /** Reads nothing; lists of what a database has are empty where it is not there, and this is refused. */
  async enter(signal: AbortSignal): Promise<void> {
    for await (const _ of this.ask('SELECT * FROM "_" LIMIT 1', signal)) break
  }

  /** The names of the first measurements. */
  async names(limit: number, signal: AbortSignal): Promise<string[]> {
    const names: string[] = []
    for await (const { values } of this.ask(`SHOW MEASUREMENTS LIMIT ${limit}`, signal))
      names.push(...values.map(([name]) => String(name)))
    return names
  }

  /** What these have, or with `only` that one. */
  async measurements(names: readonly string[], signal: AbortSignal, only?: string): Promise<Measurement[]> {
    const from = only === undefined ? '' : ` FROM ${quoted(only)}`
    const found = new Map(names.map((name) => [name, { tags: [] as string[], fields: new Map<string, Set<string>>() }]))
    for await (const { name, values } of this.ask(`SHOW TAG KEYS${from}`, signal))
      found.get(name)?.tags.push(...values.map(([tag]) => String(tag)))
    for await (const { name, values } of this.ask(`SHOW FIELD KEYS${from}`, signal)) {
      const fields = found.get(name)?.fields
      for (const [field, type] of values) {
        const types = fields?.get(String(field)) ?? new Set()
        fields?.set(String(field), types.add(String(type)))
      }
    }
    return [...found].map(([name, { tags, fields }]) => ({ name, tags, fields }))
  }
}
