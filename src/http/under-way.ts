import type { IncomingMessage, ServerResponse } from 'node:http'
import { Pace } from './pace.ts'

/** A request, from its arrival until its answer is out or its connection has gone. */
export class UnderWay {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** More than may wait on one connection. */
  isTooMany = false
  #giveBack: (() => void) | undefined
  #isOver = false
  #arrival: { readonly pace: Pace; giveUp(): void } | undefined

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
  }

  /** The place that it has until it is over; one that it had before is given back. */
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

  /** Its body is read as it arrives, and may take long but not stand still. */
  expectBody(giveUp: () => void): void {
    this.#arrival = { pace: new Pace(), giveUp }
  }

  lookAtArrival(nowMs: number): void {
    const { request } = this
    if (this.#arrival === undefined || request.complete) return
    const { pace, giveUp } = this.#arrival
    // What has come and was not taken yet is not the sender's doing.
    if (request.readableLength > 0) pace.rest()
    else if (pace.isTooSlow(request.socket.bytesRead, nowMs)) giveUp()
  }
}
