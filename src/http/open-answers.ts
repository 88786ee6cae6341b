import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../engines/clock.ts'
import { Problem } from '../errors.ts'
import type { Authenticator } from './authenticate.ts'
import { can, type Permission } from './permissions.ts'

/**
 * Revocations of this process are acted on at once; this is for those elsewhere: on other replicas, or by the clock.
 */
const LOOK_AGAIN_MS = 5000
/** Whoever does not take the last word within so long goes without it. */
const LAST_WORD_MS = 2000

interface Open {
  readonly token: string
  readonly permission: Permission
  end(why: Problem): void
}

/**
 * Requests that may last: answers that are sent as they are made, and bodies that are read as they arrive. They end when their
 * caller may no longer make them: the key was revoked or has expired, the user was disabled or has lost the right.
 */
export class OpenAnswers {
  readonly #authenticator: Authenticator
  readonly #clock: Clock
  readonly #open = new Map<FastifyRequest, Open>()
  #isWanted = false
  #isLooking = false
  #cancel: (() => void) | undefined

  constructor(authenticator: Authenticator, clock: Clock) {
    this.#authenticator = authenticator
    this.#clock = clock
  }

  /**
   * Watches a request until its connection has closed or its answer has gone out. Public requests are not watched. `refuse` ends
   * the answer with a word that says why.
   */
  watch(request: FastifyRequest, reply: FastifyReply, refuse?: (why: Problem) => void): void {
    const { token } = request
    const permission = request.routeOptions.config.route?.permission ?? 'public'
    if (token === undefined || permission === 'public' || this.#open.has(request)) return
    const { socket } = request.raw
    let giveUp = () => {}
    const end = (why: Problem) => {
      this.#open.delete(request)
      if (refuse === undefined) return socket.destroy()
      giveUp = this.#clock.after(LAST_WORD_MS, () => socket.destroy())
      refuse(why)
    }
    this.#open.set(request, { token, permission, end })
    reply.raw.once('close', () => {
      giveUp()
      this.#open.delete(request)
      if (this.#open.size > 0) return
      this.#cancel?.()
      this.#cancel = undefined
    })
    this.#cancel ??= this.#clock.after(LOOK_AGAIN_MS, () => this.#again())
    // Something was revoked, or time went by, since the request was let in.
    if (this.#authenticator.known(token) === undefined) this.look()
  }

  /** Checks the rights of all open requests again. */
  look(): void {
    this.#isWanted = true
    if (!this.#isLooking) void this.#lookAtAll()
  }

  #again(): void {
    this.#cancel = this.#open.size === 0 ? undefined : this.#clock.after(LOOK_AGAIN_MS, () => this.#again())
    this.look()
  }

  async #lookAtAll(): Promise<void> {
    this.#isLooking = true
    while (this.#isWanted) {
      this.#isWanted = false
      for (const [token, open] of Map.groupBy(this.#open.values(), (one) => one.token)) await this.#lookAt(token, open)
    }
    this.#isLooking = false
  }

  async #lookAt(token: string, open: readonly Open[]): Promise<void> {
    try {
      const actor = this.#authenticator.known(token) ?? (await this.#authenticator.authenticate(token))
      for (const { permission, end } of open) {
        if (!can(actor, permission)) end(new Problem('permission_denied', { members: { permission } }))
      }
    } catch (error) {
      // That rights can't be checked just now is no reason to end what was allowed.
      if (error instanceof Problem && error.status === 401) for (const one of open) one.end(error)
    }
  }
}
