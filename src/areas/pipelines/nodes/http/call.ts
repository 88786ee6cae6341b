import { setTimeout as delay } from 'node:timers/promises'
import type { Outbound, OutboundRequest, OutboundResponse } from '../../../../engines/outbound/index.ts'
import { type NodeContext, NodeFault } from '../../contract/context.ts'
import { connected } from '../outside/faults.ts'

const MAX_RETRY_AFTER_MS = 60_000

/** What a status means where it is none of success. */
export type JudgeStatus = (status: number) => NodeFault['kind']

/** Calls one address of a user's, as often as its server lets it. */
export class HttpCaller {
  readonly #outbound: Outbound
  readonly #judge: JudgeStatus
  readonly #clock: Pick<NodeContext<unknown>, 'now' | 'elapsed'>
  /** When the server wants to be asked again. */
  #notBeforeMs = 0

  constructor(outbound: Outbound, judge: JudgeStatus, clock: Pick<NodeContext<unknown>, 'now' | 'elapsed'>) {
    this.#outbound = outbound
    this.#judge = judge
    this.#clock = clock
  }

  /** Answers if the status is one of success; reads what `read` reads of the body. */
  async call<T>(
    url: string,
    request: OutboundRequest & { readonly signal: AbortSignal },
    read: (response: OutboundResponse) => Promise<T>
  ): Promise<T> {
    const waitMs = Math.min(this.#notBeforeMs - this.#clock.elapsed(), MAX_RETRY_AFTER_MS)
    if (waitMs > 0) await delay(waitMs, undefined, { signal: request.signal })
    return connected(async () => {
      const response = await this.#outbound.request(url, request)
      if (response.status >= 200 && response.status < 300) return read(response)
      this.#notBeforeMs = this.#clock.elapsed() + retryAfterMs(response, this.#clock.now())
      await discard(response)
      throw new NodeFault(this.#judge(response.status), `status_${response.status}`, reasonOf(response.status))
    })
  }
}

/** Gives the connection back. */
export async function discard(response: OutboundResponse): Promise<void> {
  for await (const _ of response.body) break
}

function retryAfterMs({ headers }: OutboundResponse, nowMs: number): number {
  const text = String(headers['retry-after'] ?? '')
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0
}

function reasonOf(status: number): string {
  if (status === 401 || status === 403)
    return `The server answered ${status}: it wants other credentials in \`headers\``
  if (status === 404) return 'The server answered 404: check the address'
  if (status === 429) return 'The server answered 429: it is asked too often'
  if (status >= 300 && status < 400) return `The server answered ${status}: give the address that it points to`
  return `The server answered ${status}`
}
