import { BrokerError } from './errors.ts'
import type { Message, TakeOptions } from './index.ts'

export interface InboxLimits {
  readonly maxWaiting: number
  readonly maxWaitingBytes: number
}

/**
 * Messages that were received and not taken yet, oldest first. A receiver asks `isFull` and then waits for `onRoom`.
 */
export class Inbox<T extends Message> {
  /** Called when there is room again after it was full. */
  onRoom: () => void = () => {}
  readonly #limits: InboxLimits
  #messages: T[] = []
  /** The index of the oldest; messages before it were taken. */
  #head = 0
  #bytes = 0
  #wasFull = false
  #wake: (() => void) | undefined
  #failure: BrokerError | undefined
  #isClosed = false

  constructor(limits: InboxLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#messages.length - this.#head
  }

  /** How much more may be received. */
  get room(): { readonly messages: number; readonly bytes: number } {
    return { messages: this.#limits.maxWaiting - this.waiting, bytes: this.#limits.maxWaitingBytes - this.#bytes }
  }

  get isFull(): boolean {
    return this.waiting >= this.#limits.maxWaiting || this.#bytes >= this.#limits.maxWaitingBytes
  }

  put(message: T): void {
    if (this.#isClosed) return
    this.#messages.push(message)
    this.#bytes += sizeOf(message)
    if (this.isFull) this.#wasFull = true
    this.#wake?.()
  }

  /** Removes the messages for which this is true, as if they had never come. */
  drop(isUnwanted: (message: T) => boolean): void {
    this.#messages = this.#messages.slice(this.#head).filter((message) => !isUnwanted(message))
    this.#head = 0
    this.#bytes = this.#messages.reduce((sum, message) => sum + sizeOf(message), 0)
    this.#tellRoom()
  }

  /** No more messages will come: those that wait can still be taken, and after that `take` throws this error. */
  fail(error: BrokerError): void {
    this.#failure ??= error
    this.#wake?.()
  }

  /** From now on nothing can be taken. */
  close(): void {
    this.#isClosed = true
    this.#failure = new BrokerError('closed', 'The consumer was closed')
    this.#messages = []
    this.#head = 0
    this.#bytes = 0
    this.#tellRoom()
    this.#wake?.()
  }

  async take({ max, maxBytes, waitMs, signal }: TakeOptions): Promise<T[]> {
    if (this.#wake !== undefined) throw new BrokerError('invalid', 'Another take of this consumer is still waiting')
    if (this.waiting === 0 && this.#failure === undefined && waitMs > 0) await this.#arrival(waitMs, signal)
    if (this.waiting === 0 && this.#failure !== undefined) throw this.#failure
    return this.#remove(max, maxBytes)
  }

  #remove(max: number, maxBytes: number): T[] {
    const start = this.#head
    const end = Math.min(start + max, this.#messages.length)
    let at = start
    for (let bytes = 0; at < end; at++) {
      const size = sizeOf(this.#messages[at] as T)
      bytes += size
      // A message that is larger than what was asked for is given alone, or it would never be given.
      if (bytes > maxBytes && at > start) break
      this.#bytes -= size
    }
    const taken = this.#messages.slice(start, at)
    this.#head = at
    if (at * 2 >= this.#messages.length) {
      this.#messages = this.#messages.slice(at)
      this.#head = 0
    }
    this.#tellRoom()
    return taken
  }

  #tellRoom(): void {
    const { maxWaiting, maxWaitingBytes } = this.#limits
    // Reads again when it is half empty, so that reading does not stop and start with every message.
    if (!this.#wasFull || this.waiting > maxWaiting / 2 || this.#bytes > maxWaitingBytes / 2) return
    this.#wasFull = false
    this.onRoom()
  }

  #arrival(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        this.#wake = undefined
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, waitMs)
      signal?.addEventListener('abort', done)
      this.#wake = done
    })
  }
}

function sizeOf(message: Message): number {
  return message.payload.byteLength + message.topic.length + (message.key?.length ?? 0)
}
