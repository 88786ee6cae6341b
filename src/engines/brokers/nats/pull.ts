import type { Msg, NatsConnection } from '@nats-io/transport-node'

export interface PullOptions {
  readonly stream: string
  readonly consumer: string
  readonly onMessage: (message: Msg) => void
  /** Called when the consumer is gone, or the server does not answer any more. */
  readonly onLost: (reason: string) => void
  /** How much may be asked for; if there is no room, call `resume` later. */
  readonly room: () => { readonly messages: number; readonly bytes: number }
}

const MAX_MESSAGES = 5000
const MAX_BYTES = 8 * 1024 * 1024
const EXPIRES_MS = 5000
/** The server reports when a request expires; if it does not, it has forgotten the request. */
const SILENCE_LIMIT_MS = 3 * EXPIRES_MS
const REFUSED_PAUSE_MS = 500

/** Requests messages of a JetStream consumer, one request after the other, as long as there is room. */
export class Pull {
  readonly #client: NatsConnection
  readonly #options: PullOptions
  readonly #inbox: string
  /** How many messages the request under way may still bring. */
  #expected = 0
  #silence: NodeJS.Timeout | undefined
  #pause: NodeJS.Timeout | undefined
  /** Whether the next message is larger than the usual limit, so that it has to come alone. */
  #isLargeNext = false
  #isStopped = false

  constructor(client: NatsConnection, options: PullOptions) {
    this.#client = client
    this.#options = options
    this.#inbox = `_INBOX.${crypto.randomUUID()}`
    client.subscribe(this.#inbox, {
      callback: (error, message) => (error ? this.#lose(error.message) : this.#receive(message))
    })
    this.resume()
  }

  /** Sends a request if there is none under way. */
  resume(): void {
    if (this.#isStopped || this.#expected > 0 || this.#pause !== undefined) return
    const { stream, consumer, room } = this.#options
    const { messages, bytes } = room()
    if (messages <= 0 || bytes <= 0) return
    const most = { batch: Math.min(messages, MAX_MESSAGES), max_bytes: Math.min(bytes, MAX_BYTES) }
    const limits = this.#isLargeNext ? { batch: 1 } : most
    this.#expected = limits.batch
    const request = JSON.stringify({ ...limits, expires: EXPIRES_MS * 1e6 })
    this.#client.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, request, { reply: this.#inbox })
    this.#silence = setTimeout(() => this.#lose('it has forgotten a request'), SILENCE_LIMIT_MS)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#silence)
    clearTimeout(this.#pause)
  }

  #receive(message: Msg): void {
    if (this.#isStopped) return
    if (message.subject === this.#inbox) {
      this.#hear(message.headers?.code ?? 0, message.headers?.description ?? '')
      return
    }
    this.#isLargeNext = false
    this.#options.onMessage(message)
    this.#expected -= 1
    if (this.#expected <= 0) this.#next()
  }

  /** Handles a status of the server, which comes instead of a message or after the last one. */
  #hear(code: number, description: string): void {
    if (code === 503 || /deleted/i.test(description)) {
      this.#lose(description || 'the consumer does not answer')
      return
    }
    if (/exceeds maxbytes/i.test(description)) this.#isLargeNext = true
    else if (code !== 404 && code !== 408) {
      this.#pause = setTimeout(() => {
        this.#pause = undefined
        this.resume()
      }, REFUSED_PAUSE_MS)
    }
    this.#next()
  }

  #next(): void {
    this.#expected = 0
    clearTimeout(this.#silence)
    this.resume()
  }

  #lose(reason: string): void {
    this.stop()
    this.#options.onLost(reason)
  }
}
