import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { parseDelivery } from '../../../brokers/nats/message.ts'
import { Pull } from '../../../brokers/nats/pull.ts'
import { SourceError } from '../../errors.ts'

/** What may wait here; a request is sent only for what there is room for. */
const MAX_WAITING = 10_000
const MAX_BYTES = 8 * 1024 * 1024
/** After so long without a message the server is asked whether there are any more. */
const QUIET_MS = 2000

export interface PulledMessage {
  readonly sequence: number
  readonly timeMs: number
  readonly pending: number
  readonly message: Msg
}

/** The messages of a consumer, one after the other. */
export class Pulled {
  readonly #pull: Pull
  #waiting: PulledMessage[] = []
  #taken = 0
  #bytes = 0
  #lost: SourceError | undefined
  #wake: (() => void) | undefined

  constructor(client: NatsConnection, stream: string, consumer: string) {
    this.#pull = new Pull(client, {
      stream,
      consumer,
      onMessage: (message) => this.#put(message),
      onLost: (reason) => {
        this.#lost = new SourceError('unavailable', `The server stopped sending (${reason}); try again`)
        this.#wake?.()
      },
      room: () => ({ messages: MAX_WAITING - this.#waiting.length, bytes: MAX_BYTES - this.#bytes })
    })
  }

  /** The next message; undefined where none comes for a while and `isEmpty` says that there is none. */
  async next(isEmpty: () => Promise<boolean>): Promise<PulledMessage | undefined> {
    while (this.#taken === this.#waiting.length) {
      this.#waiting = []
      this.#taken = 0
      this.#bytes = 0
      if (this.#lost !== undefined) throw this.#lost
      this.#pull.resume()
      if (!(await this.#hasCome()) && this.#lost === undefined && (await isEmpty())) {
        if (this.#waiting.length === 0) return undefined
      }
    }
    return this.#waiting[this.#taken++]
  }

  stop(): void {
    this.#pull.stop()
  }

  #put(message: Msg): void {
    const delivery = parseDelivery(message.reply)
    if (delivery === undefined) return
    this.#waiting.push({ ...delivery, message })
    this.#bytes += message.data.length
    this.#wake?.()
  }

  /** Whether something has come before it was quiet for long. */
  #hasCome(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (hasCome: boolean) => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve(hasCome)
      }
      const timer = setTimeout(() => settle(false), QUIET_MS)
      this.#wake = () => settle(true)
    })
  }
}
