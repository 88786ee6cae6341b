import type { Clock } from '../../clock.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Outbound, OutboundResponse } from '../../outbound/index.ts'
import { withFirstLook } from '../common/first-look.ts'
import { SourceError } from '../errors.ts'
import type { Pattern } from '../files/pattern.ts'
import type { FilePlace, FoundFile } from '../files/place.ts'
import type { Step } from '../index.ts'
import { fromOutbound, reachSteps } from '../reach.ts'
import type { HttpFileSettings } from './config.ts'

/** How long a file may take from its first byte to its last, and how large it may be. */
const TIME_LIMIT_MS = 6 * 3_600_000
const MAX_BYTES = 256 * 1024 ** 3
/** A file whose server does not say when it was changed counts as changed so long ago: it is read whole each time. */
const UNTOLD_MS = 60_000

const NO_ADDRESS: Step = {
  name: 'resolve',
  async run() {
    throw new SourceError('unknown_host', 'The first of the addresses is none', '/urls')
  }
}

/** Files that have an address each. */
export class HttpFilePlace implements FilePlace {
  readonly #settings: HttpFileSettings
  readonly #outbound: Outbound
  readonly #clock: Clock

  constructor(settings: HttpFileSettings, outbound: Outbound, clock: Clock) {
    this.#settings = settings
    this.#outbound = outbound
    this.#clock = clock
  }

  /** By the first address; that the others are there, listing tells. */
  get steps(): readonly Step[] {
    const url = URL.parse(this.#settings.urls[0] ?? '')
    if (url === null) return [NO_ADDRESS]
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    let called: Promise<unknown> | undefined
    const refuse = async (signal: AbortSignal, codes: readonly SourceError['code'][]) => {
      called ??= this.#head(url.href, signal).catch((error) => error)
      const error = await called
      if (error instanceof SourceError && codes.includes(error.code)) throw error
    }
    const own: Step[] = [
      {
        name: 'tls',
        async run(signal) {
          await refuse(signal, ['tls_failed'])
          return url.protocol === 'https:' ? 'The connection is encrypted' : 'Not encrypted, as configured'
        }
      },
      {
        name: 'authenticate',
        async run(signal) {
          await refuse(signal, ['wrong_credentials', 'unavailable', 'timeout', 'rate_limited', 'unreachable'])
          return 'The server answers'
        }
      }
    ]
    const looked = { host, port, tls: url.protocol === 'https:' }
    return withFirstLook([...reachSteps(looked, this.#outbound), ...own], looked, this.#outbound).map(aboutUrls)
  }

  async *list({ text }: Pattern, signal: AbortSignal): AsyncGenerator<FoundFile> {
    const { headers } = await this.#head(text, signal)
    const told = Date.parse(String(headers['last-modified'] ?? ''))
    if (Number.isNaN(told)) yield { path: text, modifiedMs: this.#clock.now() - UNTOLD_MS, isUntold: true }
    else yield { path: text, modifiedMs: told }
  }

  async *open(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { body } = await this.#call(path, 'GET', signal)
    try {
      yield* body
    } catch (error) {
      throw toSourceError(error, signal)
    }
  }

  /** Who may read is up to the server, in a way of its own. */
  grantsFor(): readonly string[] {
    return []
  }

  async close(): Promise<void> {}

  /** Some servers know no HEAD; what they begin to answer to a GET says the same. */
  async #head(url: string, signal: AbortSignal): Promise<OutboundResponse> {
    const answer = await this.#call(url, 'HEAD', signal).catch((error) => {
      if (error instanceof SourceError && error.code === 'bad_request') return this.#call(url, 'GET', signal)
      throw error
    })
    await answer.discard()
    return answer
  }

  async #call(url: string, method: string, signal: AbortSignal): Promise<OutboundResponse> {
    let answer: OutboundResponse
    try {
      const headers = authorization(this.#settings)
      const { ca } = this.#settings
      const limits = { timeoutMs: TIME_LIMIT_MS, maxResponseBytes: MAX_BYTES }
      answer = await this.#outbound.request(url, { method, headers, ca, signal, ...limits })
    } catch (error) {
      throw toSourceError(error, signal)
    }
    if (answer.status === 200) return answer
    await answer.discard()
    throw fromStatus(answer.status, url)
  }
}

function authorization({ user, password = '', token }: HttpFileSettings): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (user === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

function fromStatus(status: number, url: string): SourceError {
  if (status === 401) return new SourceError('wrong_credentials', 'The server wants other credentials', '/token')
  if (status === 403) return new SourceError('missing_permission', `${url} may not be read (403)`, '/urls')
  if (status === 404 || status === 410) return new SourceError('not_found', `${url} is not there (${status})`, '/urls')
  if (status === 429) return new SourceError('rate_limited', 'The server wants to be asked less often', '/urls')
  if (status >= 500 && status !== 501) return new SourceError('unavailable', `The server fails (${status}); try again`)
  if (status >= 300 && status < 400) {
    return new SourceError('not_found', `${url} has moved (${status}); give the address where it is now`, '/urls')
  }
  return new SourceError('bad_request', `The server does not give ${url} (${status})`, '/urls')
}

function toSourceError(error: unknown, signal: AbortSignal): unknown {
  signal.throwIfAborted()
  return error instanceof OutboundError ? pointing(fromOutbound(error)) : error
}

/** There are no fields for host and port: both stand in the address. */
const pointing = ({ code, message }: SourceError) => new SourceError(code, message, '/urls')

function aboutUrls({ name, run }: Step): Step {
  return {
    name,
    async run(signal) {
      try {
        return await run(signal)
      } catch (error) {
        throw error instanceof SourceError && error.code !== 'wrong_credentials' ? pointing(error) : error
      }
    }
  }
}
