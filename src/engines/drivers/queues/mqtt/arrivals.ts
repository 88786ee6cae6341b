import type { IPublishPacket } from 'mqtt'

/** What may wait here; the broker is not read while there is more. */
const MAX_WAITING = 1000
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Messages that arrive, until it has been quiet for so long and the broker says that it has nothing more.
 * What is retained comes first, however much it is. Quiet alone proves nothing: this process or the broker
 * may have had no turn. So the broker is asked something, and answers behind all that it has sent.
 */
export class Arrivals {
  readonly #listenMs: number
  readonly #ask: () => void
  #waiting: IPublishPacket[] = []
  #bytes = 0
  #quiet: NodeJS.Timeout | undefined
  #isAsked = false
  #isOver = false
  #wake: (() => void) | undefined
  #held: (() => void) | undefined

  /** `ask` asks the broker for an answer; `answered` is to be called when it comes. */
  constructor(listenMs: number, ask: () => void) {
    this.#listenMs = listenMs
    this.#ask = ask
  }

  /** Begins to wait; messages that are not retained do not prolong it. */
  listen(): void {
    this.#wait()
  }

  /** `done` lets the next one come. */
  put(packet: IPublishPacket, done: () => void): void {
    this.#waiting.push(packet)
    this.#bytes += packet.payload.length
    if (packet.retain && this.#quiet !== undefined) this.#wait()
    if (this.#waiting.length < MAX_WAITING && this.#bytes < MAX_BYTES) done()
    else this.#held = done
    this.#wake?.()
  }

  /** The broker has answered: all that it had sent before is here. */
  answered(): void {
    if (this.#isAsked) this.stop()
  }

  /** All that has arrived; undefined at the end. */
  async take(): Promise<readonly IPublishPacket[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#isOver) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const taken = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    const held = this.#held
    this.#held = undefined
    held?.()
    return taken
  }

  stop(): void {
    clearTimeout(this.#quiet)
    this.#isOver = true
    this.#wake?.()
  }

  #wait(): void {
    clearTimeout(this.#quiet)
    this.#isAsked = false
    this.#quiet = setTimeout(() => {
      this.#isAsked = true
      this.#ask()
    }, this.#listenMs)
  }
}
