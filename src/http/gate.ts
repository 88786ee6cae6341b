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

/** A database that takes longer does not answer, for those who can be let in without it; scrapes end after 10 s as a rule. */
const DATABASE_LIMIT_MS = 2000

export interface GateNeeds {
  readonly clock: Clock
  readonly log: Log
  readonly lifecycle: Lifecycle
  readonly authenticator: Authenticator
  readonly openAnswers: OpenAnswers
  readonly limiter: RateLimiter
  /** For operations that take data in. */
  readonly writeLimiter: RateLimiter
  readonly metrics: HttpMetrics
  /** Requests that may be under way, over all connections. */
  readonly maxPlaces: number
}

export type Gate = ReturnType<typeof createGate>

/** Puts the gate before every route of `scope`. Health stands outside: it must answer when nothing else does. */
export function guard(scope: FastifyInstance, gate: Gate): void {
  scope.addHook('onRequest', gate.enter)
  scope.addHook('onResponse', gate.leave)
}

/** What every request passes on its way in and out. Free of promises for a caller that is known. */
export function createGate(needs: GateNeeds) {
  const pressure = new Pressure()
  const close = watchPressure(pressure)
  const { authenticator, openAnswers, limiter, writeLimiter, metrics, log, lifecycle, clock, maxPlaces } = needs
  const places = new Shares(maxPlaces)
  /** Lets the first refusal of each holder in a minute into the audit trail. */
  const firstOfMinute = createRateLimiter(1, clock)

  function enter(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    request.startedAtMs = performance.now()
    reply.header('x-content-type-options', 'nosniff')
    reply.header('cache-control', 'no-store')
    let unknown: string | undefined
    try {
      unknown = tokenToLookAt(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    if (unknown === undefined) done()
    else welcome(unknown, request, reply).then(() => done(), done)
  }

  /** Lets in whoever needs no token or is known by it; answers the token of somebody who is not. */
  function tokenToLookAt(request: FastifyRequest, reply: FastifyReply): string | undefined {
    refuseNul(request.url)
    if (lifecycle.phase === 'draining') throw new Problem('shutting_down', { headers: { 'retry-after': '5' } })
    if (pressure.isHigh) throw overloaded()
    const { route } = request.routeOptions.config
    if (route === undefined || route.permission === 'public') {
      comeWithout(request, reply)
      return undefined
    }
    const token = route.foreign?.tokenOf(request) ?? bearerToken(request.headers.authorization)
    request.token = token
    const known = token === undefined ? undefined : authenticator.known(token)
    if (known !== undefined) {
      admit(request, reply, known)
      return undefined
    }
    if (token === undefined) {
      comeWithout(request, reply)
      throw missingToken()
    }
    // Those who are looked at are not those who have been let in, so that neither can take the places of the other.
    occupy(request, `looked at: ${addressGroup(request.ip)}`)
    return token
  }

  /** Whoever shows no token is counted by address. */
  function comeWithout(request: FastifyRequest, reply: FastifyReply): void {
    const address = `address: ${addressGroup(request.ip)}`
    take(address, reply)
    occupy(request, address)
  }

  /** Tokens that are refused are counted by address; that says nothing against the good ones from there. */
  async function welcome(token: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let actor: Actor
    try {
      actor = await identify(token, request)
    } catch (error) {
      take(`refused: ${addressGroup(request.ip ?? '')}`, reply)
      throw error
    }
    admit(request, reply, actor)
  }

  function identify(token: string, { routeOptions }: FastifyRequest): Promise<Actor> {
    const isKnown = routeOptions.config.route?.withoutDatabase === true && authenticator.lately(token) !== undefined
    return isKnown ? identifyWithout(token) : authenticator.authenticate(token)
  }

  async function identifyWithout(token: string): Promise<Actor> {
    const asked = authenticator.authenticate(token).catch((error) => {
      if (!isUnavailable(error)) throw error
    })
    const actor = (await within(clock, DATABASE_LIMIT_MS, asked, () => undefined)) ?? authenticator.lately(token)
    if (actor === undefined) throw new Problem('dependency_unavailable', { headers: { 'retry-after': '2' } })
    return actor
  }

  function admit(request: FastifyRequest, reply: FastifyReply, actor: Actor): void {
    request.actor = actor
    const { permission, ingests, stream } = request.routeOptions.config.route ?? {}
    take(actor.apiKeyId ?? actor.id, reply, ingests ? writeLimiter : limiter)
    // By user: anybody can make many keys.
    occupy(request, actor.id)
    if (permission !== undefined && permission !== 'public' && !can(actor, permission)) {
      throw new Problem('permission_denied', { members: { permission } })
    }
    if (stream !== undefined) openAnswers.watch(request, reply)
  }

  /** Until the answer is out or the connection has gone: a caller that hangs up halfway has no end. */
  function occupy({ underWay }: FastifyRequest, holder: string): void {
    const taken = places.take(holder)
    if (taken === 'full') throw overloaded()
    if (taken === 'share') {
      const headers = { 'retry-after': '1' }
      throw new Problem('too_many_at_once', { headers, repeated: !firstOfMinute.take(holder).ok })
    }
    underWay.hold(() => places.giveBack(holder))
  }

  function take(caller: string, reply: FastifyReply, from = limiter): void {
    if (!from.enabled) return
    const taken = from.take(caller)
    reply.header('ratelimit-policy', from.policy)
    reply.header('ratelimit', `"${from.name}";r=${taken.remaining};t=${taken.resetSeconds}`)
    if (taken.ok) return
    const headers = { 'retry-after': String(taken.resetSeconds) }
    throw new Problem('rate_limited', { headers, repeated: !taken.firstRefusal })
  }

  function leave(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const elapsedMs = performance.now() - request.startedAtMs
    metrics.observe(request, reply, elapsedMs)
    log.request(request, reply, elapsedMs)
    done()
  }

  return { enter, leave, close }
}

function overloaded(): Problem {
  return new Problem('overloaded', { headers: { 'retry-after': '2' } })
}

function refuseNul(url: string): void {
  if (url.includes('%00')) throw new Problem('malformed_request', { detail: 'The address can’t hold a NUL character.' })
}
