import type { Clock } from '../../clock.ts'
import type { Outbound } from '../../outbound/index.ts'
import { withFirstLook } from '../common/first-look.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, OpenSource, Step, Stream, StreamChunk, StreamRead } from '../index.ts'
import { unknownStream } from '../machines/records.ts'
import { afterOf, untilLimit } from '../machines/timed.ts'
import { reachSteps } from '../reach.ts'
import type { Prometheus, Span } from './client.ts'
import type { PrometheusSettings } from './config.ts'
import { toStream, toValues } from './samples.ts'
import { windows } from './windows.ts'

const MS_PER_DAY = 86_400_000
const CHUNK_ROWS = 10_000
/** Questions about labels at the same time. */
const AT_ONCE = 8
/** Whoever goes on from a position leaves out the newest, because samples of one moment arrive over some seconds. */
const SETTLE_MS = 30_000

interface Needs {
  readonly settings: PrometheusSettings
  readonly outbound: Outbound
  readonly clock: Clock
}

/** Metrics are streams, whose samples are read as they were stored, in the order of their time. */
export class PrometheusSource implements OpenSource {
  readonly #prometheus: Prometheus
  readonly #needs: Needs
  readonly #closing = new AbortController()

  constructor(prometheus: Prometheus, needs: Needs) {
    this.#prometheus = prometheus
    this.#needs = needs
  }

  get steps(): readonly Step[] {
    const { settings, outbound } = this.#needs
    const tls = this.#prometheus.api.tlsStep(`${settings.path}/`)
    return withFirstLook([...reachSteps(settings, outbound), tls, ...this.#own()], settings, outbound)
  }

  async discover(request: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const { limit } = request
    const signal = this.#ending(request.signal)
    const span = this.#span()
    const names = (await this.#prometheus.names(span, signal)).sort()
    const listed = names.slice(0, limit)
    const streams: Stream[] = []
    for (let at = 0; at < listed.length; at += AT_ONCE) {
      const some = listed.slice(at, at + AT_ONCE)
      const labels = await Promise.all(some.map((name) => this.#prometheus.labels(name, span, signal)))
      streams.push(...some.map((name, n) => toStream(name, labels[n] ?? [])))
    }
    return { streams, isWhole: names.length <= limit }
  }

  async *read(request: StreamRead): AsyncGenerator<StreamChunk> {
    const { stream, cursor } = request
    const after = afterOf(cursor)
    const signal = this.#ending(request.signal)
    const labels = await this.#prometheus.labels(stream, this.#span(), signal)
    if (labels === undefined) throw unknownStream(stream)
    const { fromMs, toMs } = this.#span()
    const span = {
      fromMs: after === null ? fromMs : Number(after / 1_000_000n) + 1,
      toMs: cursor === undefined ? toMs : toMs - SETTLE_MS
    }
    yield* untilLimit(this.#samples(stream, labels, span, signal), request)
  }

  async close(): Promise<void> {
    this.#closing.abort(new SourceError('unavailable', 'The source was closed'))
  }

  async *#samples(name: string, labels: readonly string[], whole: Span, signal: AbortSignal) {
    const columns = toStream(name, labels).columns.map(({ name: column, type }) => ({ name: column, type }))
    const ask = async (span: Span) => {
      const series = await this.#prometheus.samples(name, span, signal)
      return toValues(series, labels, span.fromMs, span.toMs)
    }
    for await (const values of windows(whole, ask, (answer) => answer[0]?.length ?? 0)) {
      const rows = values[0]?.length ?? 0
      for (let at = 0; at < rows; at += CHUNK_ROWS) {
        const some = values.map((column) => column.slice(at, at + CHUNK_ROWS))
        yield { columns, values: some, rows: Math.min(CHUNK_ROWS, rows - at) }
      }
    }
  }

  #own(): Step[] {
    const { user } = this.#needs.settings
    let names: readonly string[] = []
    return [
      {
        name: 'authenticate',
        run: async (signal) => {
          await this.#prometheus.labels('up', this.#span(), signal)
          return `${user || 'Whoever asks'} may enter`
        }
      },
      {
        name: 'list',
        run: async (signal) => {
          names = await this.#prometheus.names(this.#span(), signal)
          return `${names.length} metric${names.length === 1 ? '' : 's'} can be listed`
        }
      },
      {
        name: 'read',
        run: async (signal) => {
          const [name] = names
          if (name === undefined) return `there is nothing to read of the last ${this.#needs.settings.days} days`
          for await (const _ of this.read({ stream: name, limit: 1, signal })) break
          return `${name} can be read`
        }
      }
    ]
  }

  #span(): Span {
    const toMs = this.#needs.clock.now()
    return { fromMs: toMs - this.#needs.settings.days * MS_PER_DAY, toMs }
  }

  #ending(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closing.signal])
  }
}
