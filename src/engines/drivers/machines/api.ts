import { systemClock } from '../../clock.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import type { Step } from '../index.ts'
import { fromOutbound } from '../reach.ts'

/** How long a server may take until it begins to answer, and between two parts of its answer. */
const SILENCE_LIMIT_MS = 60_000
/** Answers that are streamed may take as long as they are read. */
const CALL_LIMIT_MS = 24 * 3_600_000
const MAX_ERROR_CHARS = 300

export interface ApiSettings {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
  /** What is said with each call, such as who asks. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Call extends Pick<OutboundRequest, 'method' | 'body' | 'headers' | 'maxResponseBytes'> {
  readonly signal: AbortSignal
}

/** The answer was larger than was asked for: a smaller question may be answered. */
export class TooLargeAnswer extends SourceError {}

/** Calls to a server that is spoken to by HTTP. Failures on the way are `SourceError`s, or the reason of the signal. */
export class Api {
  readonly #settings: ApiSettings
  readonly #outbound: Outbound

  constructor(settings: ApiSettings, outbound: Outbound) {
    this.#settings = settings
    this.#outbound = outbound
  }

  /** The answer with its parts as they come; `stop` ends it. */
  async call(path: string, { signal, ...call }: Call): Promise<ApiAnswer> {
    const { host, port, tls, ca, headers } = this.#settings
    const origin = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host}:${port}`
    const silence = new Silence(signal)
    try {
      const answer = await silence.during(() =>
        this.#outbound.request(`${origin}${path}`, {
          ...call,
          headers: { ...headers, ...call.headers },
          ca,
          timeoutMs: CALL_LIMIT_MS,
          signal: silence.signal
        })
      )
      return new ApiAnswer(answer, silence)
    } catch (error) {
      throw silence.told(error)
    }
  }

  /** Whether the connection is encrypted as configured, whatever the server answers. */
  tlsStep(path: string): Step {
    const { tls } = this.#settings
    return {
      name: 'tls',
      run: async (signal) => {
        const answer = await this.call(path, { signal }).catch((error) => {
          // A server that does not encrypt answers with something that is no TLS.
          if (tls && error instanceof SourceError && error.code === 'unavailable') throw notEncrypted()
          throw error
        })
        const said = answer.status === 400 ? await answer.beginning() : await answer.discard()
        if (!tls && /https/i.test(said ?? ''))
          throw new SourceError('tls_failed', 'The server wants encryption: set tls', '/tls')
        return tls ? 'The connection is encrypted, and the certificate is for the host' : 'Not encrypted, as configured'
      }
    }
  }
}

function notEncrypted(): SourceError {
  return new SourceError(
    'tls_failed',
    'The server does not encrypt at this port; unset tls, or take another port',
    '/tls'
  )
}

export class ApiAnswer {
  readonly #answer: OutboundResponse
  readonly #silence: Silence

  constructor(answer: OutboundResponse, silence: Silence) {
    this.#answer = answer
    this.#silence = silence
  }

  get status(): number {
    return this.#answer.status
  }

  async json(): Promise<unknown> {
    try {
      return await this.#silence.during(() => this.#answer.json())
    } catch (error) {
      throw this.#silence.told(error)
    }
  }

  /** Its first characters, to see what it is about. */
  async beginning(): Promise<string> {
    let text = ''
    const decoder = new TextDecoder()
    for await (const part of this.parts()) {
      text += decoder.decode(part, { stream: true })
      if (text.length > MAX_ERROR_CHARS) break
    }
    return text
  }

  async *parts(): AsyncGenerator<Uint8Array> {
    const parts = this.#answer.body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { value, done } = await this.#silence.during(() => parts.next())
        if (done) return
        yield value
      }
    } catch (error) {
      throw this.#silence.told(error)
    } finally {
      await parts.return?.()
    }
  }

  async discard(): Promise<undefined> {
    await this.#answer.discard()
  }
}

/** Ends what waits for too long, and what the signal ends. Whoever takes long to read is not the server's fault. */
class Silence {
  readonly #asked: AbortSignal
  readonly #limit = new AbortController()
  readonly signal: AbortSignal

  constructor(asked: AbortSignal) {
    this.#asked = asked
    this.signal = AbortSignal.any([asked, this.#limit.signal])
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#asked.throwIfAborted()
    const cancel = systemClock.after(SILENCE_LIMIT_MS, () => this.#limit.abort())
    try {
      return await work()
    } finally {
      cancel()
    }
  }

  told(error: unknown): unknown {
    this.#asked.throwIfAborted()
    if (this.#limit.signal.aborted)
      return new SourceError(
        'timeout',
        `The server was silent for ${SILENCE_LIMIT_MS / 1000} s; ask for less, or see its load`
      )
    if (!(error instanceof OutboundError)) return error
    return error.code === 'too_large' ? new TooLargeAnswer('unavailable', error.message) : fromOutbound(error)
  }
}
