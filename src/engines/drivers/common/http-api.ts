import { OutboundError } from '../../outbound/errors.ts'
import type { Outbound, OutboundResponse } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import { fromOutbound } from '../reach.ts'
import { ANSWER_LIMIT_MS, bodyOf, MAX_ANSWER_BYTES, MAX_TOLD, textOf } from './answers.ts'

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON where it is no text. */
  readonly body?: unknown
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: OutboundResponse['headers']
  readonly body: unknown
  readonly bytes: number
}

export interface ApiSettings {
  readonly outbound: Outbound
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>
  /** The field that holds what is sent to sign in. */
  readonly secretPointer: string
  /** Has the last word about an answer that is no success; undefined for what its status says. */
  refusalOf?(answer: Answer): SourceError | undefined
  /** What the system says is wrong, out of its answer. */
  messageOf?(body: unknown): string | undefined
}

/** A system behind an HTTP interface that speaks JSON. Goes to one host only, and follows nothing elsewhere. */
export class HttpApi {
  readonly #settings: ApiSettings
  readonly origin: string
  readonly #closing = new AbortController()

  constructor(settings: ApiSettings) {
    this.#settings = settings
    const { host, port, tls } = settings
    this.origin = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host}:${port}`
  }

  /** The answer, of a status below 300. */
  async call(call: Call): Promise<Answer> {
    const answer = await this.#ask(call)
    if (answer.status < 300) return answer
    throw this.#settings.refusalOf?.(answer) ?? this.#refusal(answer)
  }

  /** The path of an address that an answer named, which has to be at the same host. */
  pathOf(address: string): string {
    const url = URL.parse(address, this.origin)
    if (url?.origin !== new URL(this.origin).origin) {
      throw new SourceError(
        'refused_by_policy',
        'It names an address at another host or port for what comes next, which is not followed; give the address that it knows itself by',
        '/host'
      )
    }
    return url.pathname + url.search
  }

  /** Ends calls under way. */
  close(): void {
    this.#closing.abort()
  }

  async #ask({ method = 'GET', path, headers, body, signal }: Call): Promise<Answer> {
    signal.throwIfAborted()
    const { outbound, ca, headers: common } = this.#settings
    const isJson = body !== undefined && typeof body !== 'string'
    try {
      const response = await outbound.request(`${this.origin}${path}`, {
        method,
        headers: { ...(isJson && { 'content-type': 'application/json' }), ...(await common(signal)), ...headers },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
        signal: AbortSignal.any([signal, this.#closing.signal]),
        ca,
        timeoutMs: ANSWER_LIMIT_MS,
        maxResponseBytes: MAX_ANSWER_BYTES
      })
      const text = await textOf(response)
      return {
        status: response.status,
        headers: response.headers,
        body: bodyOf(response, text, '/host'),
        bytes: text.length
      }
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof OutboundError ? fromOutbound(error) : error
    }
  }

  #refusal({ status, headers, body }: Answer): SourceError {
    const told = this.#settings.messageOf?.(body)?.slice(0, MAX_TOLD)
    const said = told === undefined ? '' : `: ${told}`
    if (status < 400) {
      return new SourceError(
        'bad_request',
        'It answers with another address, which is not followed; give that',
        '/host'
      )
    }
    switch (status) {
      case 401:
        return new SourceError(
          'wrong_credentials',
          'It does not accept these credentials',
          this.#settings.secretPointer
        )
      case 403:
        return new SourceError('missing_permission', `A right is missing${said}`)
      case 404:
        return new SourceError('not_found', `It is not there${said}`)
      case 408:
      case 504:
        return new SourceError('timeout', `It did not answer in time (${status})`)
      case 429:
        return new SourceError('rate_limited', `It was asked too often${laterOf(headers)}`)
      default:
        if (status >= 500) return new SourceError('unavailable', `It can't answer right now (${status})${said}`)
        return new SourceError('bad_request', `It refused what was asked (${status})${said}`)
    }
  }
}

const laterOf = (headers: Answer['headers']) =>
  typeof headers['retry-after'] === 'string' && /^\d{1,6}$/.test(headers['retry-after'])
    ? `; try again in ${headers['retry-after']} s`
    : '; try again later'
