import type { Clock } from '../../clock.ts'
import type { Outbound } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import { type Budget, MAX_WAIT_MS, tooOften } from './budget.ts'
import { isLimited, pauseTold, waitTold } from './limits.ts'
import { asMeant } from './meaning.ts'
import type { Answer, Outgoing, Signer } from './outgoing.ts'
import { messageIn, refusalOf } from './refusals.ts'
import { send } from './send.ts'
import { waited } from './waiting.ts'

/** How often a failure that may pass is tried again, and how long is waited before: twice as long each time. */
const MAX_RETRIES = 5
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** How often in a row a service may say that it was asked too often. */
const MAX_LIMITED = 30
const MAX_REDIRECTS = 5

export interface CallerNeeds {
  readonly outbound: Outbound
  readonly clock: Clock
  readonly signer: Signer
  readonly budget: Budget | undefined
  /** The field that holds what is sent to sign in. */
  readonly secretPointer: string
  /** Texts that a service may say again in its errors, and that must not be shown. */
  readonly secrets?: readonly string[]
  /** Numbers from 0 up to 1, so that not all wait equally long. */
  readonly random?: () => number
}

/** Asks a service as who is configured, at most as often as it permits, and again where that may help. */
export class Caller {
  readonly #needs: CallerNeeds
  readonly #closing = new AbortController()
  #hasWorked = false

  constructor(needs: CallerNeeds) {
    this.#needs = needs
  }

  /** The answer, of a status below 300. */
  async call(request: Outgoing, outer: AbortSignal): Promise<Answer> {
    const signal = AbortSignal.any([outer, this.#closing.signal])
    const tries: Tries = { failed: 0, limited: 0, waitedMs: 0, redirects: 0, isRenewed: false }
    let asked = request
    for (;;) {
      const { answer, signed, secrets } = await this.#attempt(asked, tries, signal)
      if (answer === undefined) continue
      if (answer.status < 300) {
        this.#hasWorked = true
        return answer
      }
      const elsewhere = this.#redirected(asked, answer, tries)
      if (elsewhere !== undefined) asked = elsewhere
      else if (isLimited(answer)) await this.#leaveAlone(answer, tries, signal)
      else if (answer.status === 401 && !tries.isRenewed && this.#mayBeRenewed(signed)) tries.isRenewed = true
      else {
        const { secretPointer } = this.#needs
        const refusal = refusalOf(answer, { secretPointer, secrets, path: asked.url.pathname })
        await this.#again(refusal, tries, signal)
      }
    }
  }

  /** What a body says is wrong, without secrets. */
  said(body: unknown): string | undefined {
    return messageIn(body, this.#needs.secrets ?? [])
  }

  /** Ends calls under way. */
  close(): void {
    this.#closing.abort(new SourceError('unavailable', 'The source was closed'))
  }

  /** One request; without an answer where it failed and is to be tried again. */
  async #attempt(
    request: Outgoing,
    tries: Tries,
    signal: AbortSignal
  ): Promise<{ answer?: Answer; signed?: Outgoing; secrets: readonly string[] }> {
    const { outbound, clock, signer, budget } = this.#needs
    await budget?.take(signal)
    try {
      const signed = await signer.sign(request, signal)
      const answer = asMeant(await send(outbound, signed, signal))
      const pauseMs = answer.status < 300 ? pauseTold(answer.headers, clock.now()) : undefined
      if (pauseMs !== undefined) budget?.pause(Math.min(pauseMs, MAX_WAIT_MS))
      return { answer, signed, secrets: [...(this.#needs.secrets ?? []), ...addedBy(request, signed)] }
    } catch (error) {
      signal.throwIfAborted()
      await this.#again(error, tries, signal)
      return { secrets: [] }
    }
  }

  /** With another token; or with the same one, where that was good before: some services refuse one now and then. */
  #mayBeRenewed(refused: Outgoing | undefined): boolean {
    return this.#needs.signer.renew(refused) || this.#hasWorked
  }

  /** Waits before the next try; throws where there is to be none. */
  async #again(error: unknown, tries: Tries, signal: AbortSignal): Promise<void> {
    if (!(error instanceof SourceError && error.isTransient) || tries.failed >= MAX_RETRIES) throw error
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries.failed)
    tries.failed += 1
    const { random = Math.random, clock } = this.#needs
    await waited(clock, waitMs * (0.5 + random() / 2), signal)
  }

  async #leaveAlone(answer: Answer, tries: Tries, signal: AbortSignal): Promise<void> {
    const { clock, budget } = this.#needs
    const unsaid = Math.min(2 * LONGEST_WAIT_MS, 2 * FIRST_WAIT_MS * 2 ** tries.limited)
    const waitMs = waitTold(answer.headers, clock.now()) ?? unsaid
    tries.limited += 1
    tries.waitedMs += waitMs
    budget?.pause(waitMs)
    if (tries.waitedMs > MAX_WAIT_MS || tries.limited > MAX_LIMITED) throw tooOften(clock, waitMs)
    await waited(clock, waitMs, signal)
  }

  /** What is asked instead, where it is at the same server. */
  #redirected(request: Outgoing, { status, headers }: Answer, tries: Tries): Outgoing | undefined {
    const { location } = headers
    if (status >= 400 || request.method !== 'GET' || typeof location !== 'string') return undefined
    const url = URL.parse(location, request.url)
    tries.redirects += 1
    if (url === null || url.origin !== request.url.origin || tries.redirects > MAX_REDIRECTS) return undefined
    return { ...request, url }
  }
}

interface Tries {
  failed: number
  limited: number
  waitedMs: number
  redirects: number
  isRenewed: boolean
}

/** What signing has put into a request: it is as secret as what it was made of. */
function addedBy(request: Outgoing, signed: Outgoing): string[] {
  const known = new Set([...Object.values(request.headers), ...request.url.searchParams.values()])
  const all = [...Object.values(signed.headers), ...signed.url.searchParams.values()]
  return all.filter((text) => !known.has(text)).flatMap((text) => [text, ...text.split(/\s+/)])
}
