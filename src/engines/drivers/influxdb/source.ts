import type { Outbound } from '../../outbound/index.ts'
import { withFirstLook } from '../common/first-look.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, OpenSource, Step, StreamChunk, StreamRead, StreamValue } from '../index.ts'
import { unknownStream } from '../machines/records.ts'
import { afterOf, untilLimit } from '../machines/timed.ts'
import { reachSteps } from '../reach.ts'
import type { Influx } from './client.ts'
import { columnsOf, type Measurement, toStream, toValue } from './columns.ts'
import type { InfluxSettings } from './config.ts'
import { quoted } from './errors.ts'

const MAX_CHUNK_ROWS = 10_000
/** Values in a chunk, where there are many columns. */
const CHUNK_VALUES = 200_000
/** Measurements that a test tries to read one after the other. */
const TRIED = 5

/** Measurements are streams, whose points are read in the order of their time. */
export class InfluxSource implements OpenSource {
  readonly #influx: Influx
  readonly #settings: InfluxSettings
  readonly #outbound: Outbound
  readonly #closing = new AbortController()

  constructor(influx: Influx, settings: InfluxSettings, outbound: Outbound) {
    this.#influx = influx
    this.#settings = settings
    this.#outbound = outbound
  }

  get steps(): readonly Step[] {
    const steps = [...reachSteps(this.#settings, this.#outbound), this.#influx.api.tlsStep('/ping'), ...this.#own()]
    return withFirstLook(steps, this.#settings, this.#outbound)
  }

  async discover({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const ending = this.#ending(signal)
    const names = await this.#influx.names(limit + 1, ending)
    const measurements = await this.#influx.measurements(names.slice(0, limit), ending)
    return { streams: measurements.map(toStream), isWhole: names.length <= limit }
  }

  async *read(request: StreamRead): AsyncGenerator<StreamChunk> {
    const { stream, cursor, limit } = request
    const after = afterOf(cursor)
    const signal = this.#ending(request.signal)
    const [measurement] = await this.#influx.measurements([stream], signal, stream)
    if (measurement === undefined || measurement.fields.size === 0) throw unknownStream(stream)
    yield* untilLimit(this.#points(measurement, after, cursor === undefined ? limit : undefined, signal), request)
  }

  async close(): Promise<void> {
    this.#closing.abort(new SourceError('unavailable', 'The source was closed'))
  }

  async *#points(measurement: Measurement, after: bigint | null, limit: number | undefined, signal: AbortSignal) {
    const { retentionPolicy } = this.#settings
    const selected = columnsOf(measurement)
    const columns = [
      { name: 'time', type: 'timestamptz' as const },
      ...selected.map(({ name, type }) => ({ name, type }))
    ]
    const list = selected.map(({ select }, at) => `${select} AS "c${at}"`).join(', ')
    const from = `${retentionPolicy === undefined ? '' : `${quoted(retentionPolicy)}.`}${quoted(measurement.name)}`
    const where = after === null ? '' : ` WHERE time > ${after}`
    const query = `SELECT ${list} FROM ${from}${where} ORDER BY time ASC${limit === undefined ? '' : ` LIMIT ${limit}`}`
    const chunkRows = Math.max(1, Math.min(MAX_CHUNK_ROWS, Math.floor(CHUNK_VALUES / columns.length)))
    for await (const { values: rows } of this.#influx.ask(query, signal, chunkRows)) {
      const values = columns.map(({ type }, at): StreamValue[] => rows.map((row) => toValue(row[at], type)))
      yield { columns, values, rows: rows.length }
    }
  }

  #own(): Step[] {
    const { user, database } = this.#settings
    let names: readonly string[] = []
    return [
      {
        name: 'authenticate',
        run: async (signal) => {
          await this.#influx.enter(signal).catch((error) => {
            if (!(error instanceof SourceError && error.code === 'missing_permission')) throw error
          })
          return `${user || 'Whoever asks'} may enter`
        }
      },
      {
        name: 'list',
        run: async (signal) => {
          names = await this.#influx.names(TRIED, signal)
          return names.length === 0 ? `${database} has no measurements yet` : 'Measurements can be listed'
        }
      },
      { name: 'read', run: (signal) => this.#tryReading(names, signal) }
    ]
  }

  async #tryReading(names: readonly string[], signal: AbortSignal): Promise<string> {
    let failure: unknown
    for (const name of names) {
      try {
        for await (const _ of this.read({ stream: name, limit: 1, signal })) break
        return `${name} can be read`
      } catch (error) {
        signal.throwIfAborted()
        failure ??= error
      }
    }
    if (failure !== undefined) throw failure
    return 'there is nothing yet that can be read'
  }

  #ending(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closing.signal])
  }
}
