import type { Outbound } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import { Api, TooLargeAnswer } from '../machines/api.ts'
import type { PrometheusSettings } from './config.ts'
import { fromPrometheus } from './errors.ts'
import { ownLabels, type Series, selectorOf } from './samples.ts'

/** An answer with samples is taken apart as a whole. */
const MAX_SAMPLES_BYTES = 4 * 1024 * 1024
const MAX_LIST_BYTES = 32 * 1024 * 1024
/** What a server says whose own bound for a question is exceeded. */
const UNPROCESSABLE = 422

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Questions by the HTTP interface of Prometheus. */
export class Prometheus {
  readonly api: Api
  readonly #path: string

  constructor({ path, ...settings }: PrometheusSettings, outbound: Outbound) {
    this.api = new Api(settings, outbound)
    this.#path = path
  }

  /** The names of metrics. */
  async names(span: Span, signal: AbortSignal): Promise<string[]> {
    return this.#ask<string[]>('/api/v1/label/__name__/values', toQuery(span), MAX_LIST_BYTES, signal)
  }

  /** The labels that a metric has. Of one that is not there, undefined. */
  async labels(name: string, span: Span, signal: AbortSignal): Promise<string[] | undefined> {
    const query = { 'match[]': selectorOf(name), ...toQuery(span) }
    const labels = await this.#ask<string[]>('/api/v1/labels', query, MAX_LIST_BYTES, signal)
    const own = ownLabels(labels)
    // VictoriaMetrics says of any metric that it has a name. One without labels is a single series.
    if (own.length > 0) return own
    const series = await this.#ask<unknown[]>('/api/v1/series', query, MAX_LIST_BYTES, signal)
    return series.length === 0 ? undefined : own
  }

  /** All samples of some time, and maybe one more before it; `TooLargeAnswer` where these are too many. */
  async samples(name: string, { fromMs, toMs }: Span, signal: AbortSignal): Promise<readonly Series[]> {
    // Versions differ in whether the first moment of a span belongs to it.
    const query = { query: `${selectorOf(name)}[${toMs - fromMs + 1}ms]`, time: seconds(toMs) }
    return (await this.#ask<{ result: Series[] }>('/api/v1/query', query, MAX_SAMPLES_BYTES, signal)).result
  }

  async #ask<T>(path: string, query: Record<string, string>, maxBytes: number, signal: AbortSignal): Promise<T> {
    const answer = await this.api.call(`${this.#path}${path}?${new URLSearchParams(query)}`, {
      signal,
      maxResponseBytes: maxBytes
    })
    if (answer.status === UNPROCESSABLE) throw new TooLargeAnswer('unavailable', await answer.beginning())
    if (answer.status !== 200) throw fromPrometheus(answer.status, await answer.beginning())
    const body = (await answer.json()) as { readonly status?: unknown; readonly data?: T } | null
    if (body?.status !== 'success' || body.data === undefined)
      throw new SourceError('unavailable', 'What answers there is no Prometheus; check port and path', '/path')
    return body.data
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)
const toQuery = ({ fromMs, toMs }: Span) => ({ start: seconds(fromMs), end: seconds(toMs) })
