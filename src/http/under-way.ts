import type { IncomingMessage, ServerResponse } from 'node:http'
import { Pace } from './pace.ts'

/** A request, from its arrival until its answer is out or its connection has gone. */
export class UnderWay {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Whether more requests than may wait have come on this connection. */
  isTooMany = false
  #giveBack: (() => void) | undefined
  #isOver = false
  #arrival: { readonly pace: Pace; giveUp(): void } | undefined

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
  }

  /** Keeps a place for the request until it is over; a place that it had before is given back. */
  hold(giveBack: () => void): void {
    this.#giveBack?.()
    this.#giveBack = giveBack
    if (this.#isOver) this.end()
  }

  end(): void {
    this.#isOver = true
    this.#giveBack?.()
    this.#giveBack = undefined
  }

  /** For a body that is read as it arrives: it may take long, but has to keep moving. */
  expectBody(giveUp: () => void): void {
    this.#arrival = { pace: new Pace(), giveUp }
  }

  lookAtArrival(nowMs: number): void {
    const { request } = this
    if (this.#arrival === undefined || request.complete) return
    const { pace, giveUp } = this.#arrival
    // Bytes that have arrived and were not read yet are our delay, not the sender's.
    if (request.readableLength > 0) pace.rest()
    else if (pace.isTooSlow(request.socket.bytesRead, nowMs)) giveUp()
  }
}
