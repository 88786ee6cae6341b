import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../engines/clock.ts'
import type { Log } from '../engines/log.ts'
import { isUnavailable } from '../engines/metadata/index.ts'
import { within } from '../engines/timing.ts'
import { Problem } from '../errors.ts'
import { addressGroup } from './address-group.ts'
import { type Authenticator, bearerToken, missingToken } from './authenticate.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { HttpMetrics } from './metrics.ts'
import type { OpenAnswers } from './open-answers.ts'
import { type Actor, can } from './permissions.ts'
import { Pressure, watchPressure } from './pressure.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'
import { Shares } from './shares.ts'

/** After this time a caller that can be let in without the database is: scrapes usually end after 10 s. */
const DATABASE_LIMIT_MS = 2000

export interface GateNeeds {
  readonly clock: Clock
  readonly log: Log
  readonly lifecycle: Lifecycle
  readonly authenticator: Authenticator
  readonly openAnswers: OpenAnswers
  readonly limiter: RateLimiter
  /** The limit for operations that take data in. */
  readonly writeLimiter: RateLimiter
  readonly metrics: HttpMetrics
  /** Requests that may be under way, over all connections. */
  readonly maxPlaces: number
}

/** Puts the gate before every route of `scope`. Health stands outside: it must answer when nothing else does. */
export function guard(scope: FastifyInstance, gate: Gate): void {
  scope.decorateRequest('callerNow', function () {
    return gate.callerNow(this)
  })
  scope.addHook('onRequest', (request, reply, done) => gate.enter(request, reply, done))
  scope.addHook('onResponse', (request, reply, done) => gate.leave(request, reply, done))
}

/**
 * What every request passes on its way in and out. It makes no promises for a caller that is already known: that
 * saves time.
 */
export class Gate {
  readonly #needs: GateNeeds
  readonly #places: Shares
  /** Decides that only the first refusal of each holder in a minute goes to the audit trail. */
  readonly #firstOfMinute: RateLimiter
  readonly #pressure = new Pressure()
  /** Stops watching the pressure. */
  readonly close = watchPressure(this.#pressure)

  constructor(needs: GateNeeds) {
    this.#needs = needs
    this.#places = new Shares(needs.maxPlaces)
    this.#firstOfMinute = createRateLimiter(1, needs.clock)
  }

  enter(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    request.startedAtMs = performance.now()
    reply.header('x-content-type-options', 'nosniff')
    reply.header('cache-control', 'no-store')
    let unknown: string | undefined
    try {
      unknown = this.#tokenToCheck(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    if (unknown === undefined) done()
    else this.#checkToken(unknown, request, reply).then(() => done(), done)
  }

  /** Lets in callers that need no token or whose token is known; answers the token that still has to be checked. */
  #tokenToCheck(request: FastifyRequest, reply: FastifyReply): string | undefined {
    refuseNul(request.url)
    if (this.#needs.lifecycle.phase === 'draining')
      throw new Problem('shutting_down', { headers: { 'retry-after': '5' } })
    if (this.#pressure.isHigh) throw overloaded()
    const { route } = request.routeOptions.config
    if (route === undefined || route.permission === 'public') {
      this.#admitWithoutToken(request, reply)
      return undefined
    }
    const token = route.foreign?.tokenOf(request) ?? bearerToken(request.headers.authorization)
    request.token = token
    const known = token === undefined ? undefined : this.#needs.authenticator.known(token)
    if (known !== undefined) {
      this.#admit(request, reply, known)
      return undefined
    }
    if (token === undefined) {
      this.#admitWithoutToken(request, reply)
      throw missingToken()
    }
    // Tokens that are being checked hold places of their own, so that they can't take those of callers that were let
    // in.
    this.#occupy(request, `looked at: ${addressGroup(request.ip)}`)
    return token
  }

  /** Callers without a token are counted by address. */
  #admitWithoutToken(request: FastifyRequest, reply: FastifyReply): void {
    const address = `address: ${addressGroup(request.ip)}`
    this.#take(address, reply)
    this.#occupy(request, address)
  }

  /**
   * Checks a token. Refused tokens are counted by address, and do not slow down accepted ones from the same address.
   */
  async #checkToken(token: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let actor: Actor
    try {
      actor = await this.#identify(token, request)
    } catch (error) {
      this.#take(`refused: ${addressGroup(request.ip ?? '')}`, reply)
      throw error
    }
    this.#admit(request, reply, actor)
  }

  #identify(token: string, { routeOptions }: FastifyRequest): Promise<Actor> {
    const isKnown =
      routeOptions.config.route?.withoutDatabase === true && this.#needs.authenticator.lately(token) !== undefined
    return isKnown ? this.#identifyWithout(token) : this.#needs.authenticator.authenticate(token)
  }

  async #identifyWithout(token: string): Promise<Actor> {
    const asked = this.#needs.authenticator.authenticate(token).catch((error) => {
      if (!isUnavailable(error)) throw error
    })
    const actor =
      (await within(this.#needs.clock, DATABASE_LIMIT_MS, asked, () => undefined)) ??
      this.#needs.authenticator.lately(token)
    if (actor === undefined) throw new Problem('dependency_unavailable', { headers: { 'retry-after': '2' } })
    return actor
  }

  #admit(request: FastifyRequest, reply: FastifyReply, actor: Actor): void {
    request.actor = actor
    const { permission, ingests, stream } = request.routeOptions.config.route ?? {}
    this.#take(actor.apiKeyId ?? actor.id, reply, ingests ? this.#needs.writeLimiter : this.#needs.limiter)
    // Counted by user, not by key: anybody can make many keys.
    this.#occupy(request, actor.id)
    if (permission !== undefined && permission !== 'public' && !can(actor, permission)) {
      throw new Problem('permission_denied', { members: { permission } })
    }
    if (stream !== undefined) this.#needs.openAnswers.watch(request, reply)
  }

  /** Holds a place until the answer is out or the connection has gone: a caller that hangs up gets no answer. */
  #occupy({ underWay }: FastifyRequest, holder: string): void {
    const taken = this.#places.take(holder)
    if (taken === 'full') throw overloaded()
    if (taken === 'share') {
      const headers = { 'retry-after': '1' }
      throw new Problem('too_many_at_once', { headers, repeated: !this.#firstOfMinute.take(holder).ok })
    }
    underWay.hold(() => this.#places.giveBack(holder))
  }

  #take(caller: string, reply: FastifyReply, from = this.#needs.limiter): void {
    if (!from.enabled) return
    const taken = from.take(caller)
    reply.header('ratelimit-policy', from.policy)
    reply.header('ratelimit', `"${from.name}";r=${taken.remaining};t=${taken.resetSeconds}`)
    if (taken.ok) return
    const headers = { 'retry-after': String(taken.resetSeconds) }
    throw new Problem('rate_limited', { headers, repeated: !taken.firstRefusal })
  }

  /** The caller with the rights of now, where they may still make this request. */
  async callerNow({ token, actor, routeOptions }: FastifyRequest): Promise<Actor> {
    const { authenticator } = this.#needs
    if (token === undefined) return actor
    const now = authenticator.known(token) ?? (await authenticator.authenticate(token))
    const permission = routeOptions.config.route?.permission ?? 'public'
    if (permission === 'public' || can(now, permission)) return now
    throw new Problem('permission_denied', { members: { permission } })
  }

  leave(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const elapsedMs = performance.now() - request.startedAtMs
    this.#needs.metrics.observe(request, reply, elapsedMs)
    this.#needs.log.request(request, reply, elapsedMs)
    done()
  }
}

function overloaded(): Problem {
  return new Problem('overloaded', { headers: { 'retry-after': '2' } })
}

function refuseNul(url: string): void {
  if (url.includes('%00')) throw new Problem('malformed_request', { detail: 'The address can’t hold a NUL character.' })
}
