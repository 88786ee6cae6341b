import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../engines/clock.ts'
import type { MakeId } from '../engines/ids.ts'
import type { Log } from '../engines/log.ts'
import type { Metadata } from '../engines/metadata/index.ts'
import { Problem } from '../errors.ts'
import { limitArrival } from './arrival.ts'
import type { AuditTrail } from './audit-trail.ts'
import { type Authenticator, bearerToken, missingToken } from './authenticate.ts'
import { answerClientError } from './client-errors.ts'
import { serializerCompiler, validatorCompiler } from './compilers.ts'
import { readJsonBodies } from './json-body.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { HttpMetrics } from './metrics.ts'
import type { OpenAnswers } from './open-answers.ts'
import { type Actor, can } from './permissions.ts'
import { sendProblem, toProblem } from './problems.ts'
import type { RateLimiter } from './rate-limit.ts'
import { auditRefusal } from './refusals.ts'
import { ANONYMOUS } from './request.ts'

export interface ServerNeeds {
  readonly clock: Clock
  readonly makeId: MakeId
  readonly log: Log
  readonly lifecycle: Lifecycle
  readonly metadata: Metadata
  readonly audit: AuditTrail
  readonly authenticator: Authenticator
  readonly openAnswers: OpenAnswers
  readonly limiter: RateLimiter
  /** For operations that take data in. */
  readonly writeLimiter: RateLimiter
  readonly metrics: HttpMetrics
  readonly maxBodyBytes: number
  readonly trustProxy: boolean
  /** Brings an address into the form that the routes are declared in, before one is looked for. */
  rewriteAddress(url: string): string
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_IN_FLIGHT = 2000
/** Beyond this the event loop is so far behind that new work would only make it worse. */
const MAX_EVENT_LOOP_DELAY_MS = 1000

/** The HTTP server without its routes: everything that is the same for each of them. */
export function createServer(needs: ServerNeeds): FastifyInstance {
  const nextId = requestIds(needs.makeId)
  const app = Fastify({
    logger: false,
    bodyLimit: needs.maxBodyBytes,
    requestTimeout: 0, // how long a body may take depends on the operation: see limitArrival
    keepAliveTimeout: 65_000, // longer than the usual 60 s of a proxy, so that the proxy is the one to close
    // Only the nearest proxy: what stands before its word in the header, anyone can have written.
    trustProxy: needs.trustProxy ? (_address, hop) => hop === 0 : false,
    return503OnClosing: false,
    rewriteUrl: (request) => needs.rewriteAddress(request.url ?? '/'),
    genReqId: (request) => givenId(request.headers['x-request-id']) ?? nextId(),
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 20_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 4096 },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, nextId()),
    frameworkErrors: (error, request, reply) => {
      void sendProblem(toProblem(error), request, reply.header('x-request-id', request.id))
    }
  })
  app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
  app.setSchemaErrorFormatter((errors) => errors as never)
  // Left alone, the runtime would answer an expectation that it does not know with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorateRequest('actor', null as never) // set to ANONYMOUS below
  app.decorateRequest('token', undefined)
  app.decorateRequest('startedAtMs', 0)
  readJsonBodies(app)
  app.addHook('onRequest', (request, reply, done) => {
    request.actor = ANONYMOUS
    reply.header('x-request-id', request.id)
    if (request.raw.headers['content-length'] !== undefined || request.raw.headers['transfer-encoding'] !== undefined) {
      limitArrival(request, reply, needs.clock)
    }
    const hasHost = request.headers.host !== undefined || request.raw.httpVersion === '1.0'
    if (!hasHost) done(new Problem('malformed_request', { detail: 'Send a Host header.' }))
    else done(isMet(request.headers.expect) ? undefined : new Problem('expectation_failed'))
  })
  app.addHook('preClose', async () => {
    // A connection that still gets an answer would else be kept for the next request, and hold the shutdown up.
    app.server.keepAliveTimeout = 1
    app.server.keepAliveTimeoutBuffer = 0
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, needs))
  app.setNotFoundHandler((request, reply) => sendProblem(new Problem('route_not_found'), request, reply))
  return app
}

/** Puts the gate before every route of `scope`. Health stands outside: it must answer when nothing else does. */
export function guard(scope: FastifyInstance, needs: ServerNeeds): void {
  const gate = createGate(needs)
  scope.addHook('onRequest', gate.enter)
  scope.addHook('onResponse', gate.leave)
  scope.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    pressureHandler: () => {
      throw overloaded()
    }
  })
}

/** What every request passes on its way in and out. Free of promises for a caller that is known. */
function createGate({ authenticator, openAnswers, limiter, writeLimiter, metrics, log, lifecycle }: ServerNeeds) {
  let inFlight = 0
  // At the close of the answer, not with its end: a caller that hangs up halfway gets none.
  const release = () => {
    inFlight--
  }

  function enter(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    inFlight++
    reply.raw.once('close', release)
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
    if (inFlight > MAX_IN_FLIGHT) throw overloaded()
    const { route } = request.routeOptions.config
    if (route === undefined) return undefined
    if (route.permission === 'public') {
      // What needs no token may still be guessed at: those who were refused too often wait.
      if (limiter.isUsedUp(`ip:${request.ip}`)) take(`ip:${request.ip}`, reply)
      return undefined
    }
    const token = route.foreign?.tokenOf(request) ?? bearerToken(request.headers.authorization)
    request.token = token
    const known = token === undefined ? undefined : authenticator.known(token)
    if (known !== undefined) {
      admit(request, reply, known)
      return undefined
    }
    // Requests that nobody is found for are counted by address, so that tokens can't be tried without end.
    const address = `ip:${request.ip}`
    if (token === undefined || limiter.isUsedUp(address)) take(address, reply)
    if (token === undefined) throw missingToken()
    return token
  }

  async function welcome(token: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let actor: Actor
    try {
      actor = await authenticator.authenticate(token)
    } catch (error) {
      take(`ip:${request.ip}`, reply)
      throw error
    }
    admit(request, reply, actor)
  }

  function admit(request: FastifyRequest, reply: FastifyReply, actor: Actor): void {
    request.actor = actor
    const { permission, ingests, stream } = request.routeOptions.config.route ?? {}
    take(actor.apiKeyId ?? actor.id, reply, ingests ? writeLimiter : limiter)
    if (permission !== undefined && permission !== 'public' && !can(actor, permission)) {
      throw new Problem('permission_denied', { members: { permission } })
    }
    if (stream !== undefined) openAnswers.watch(request, reply)
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
    const isRefused = reply.statusCode === 403 && request.routeOptions.config.route?.permission === 'public'
    if (isRefused && limiter.enabled) limiter.take(`ip:${request.ip ?? ''}`)
    metrics.observe(request, reply, elapsedMs)
    log.request(request, reply, elapsedMs)
    done()
  }

  return { enter, leave }
}

async function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, needs: ServerNeeds) {
  let problem = asCalledHere(toProblem(error), request)
  if (problem.status >= 500) needs.log.failure(problem, request.id)
  try {
    await auditRefusal(problem, request, needs.audit, needs.metadata)
  } catch (failure) {
    problem = toProblem(failure)
    needs.log.failure(problem, request.id)
  }
  return sendProblem(problem, request, reply)
}

function asCalledHere(problem: Problem, { routeOptions }: FastifyRequest): Problem {
  const { tooLarge } = routeOptions.config.route ?? {}
  return problem.code === 'payload_too_large' && tooLarge !== undefined
    ? new Problem(tooLarge, { cause: problem })
    : problem
}

const isMet = (expected: string | undefined): boolean =>
  expected === undefined || expected.trim().toLowerCase() === '100-continue'

function overloaded(): Problem {
  return new Problem('overloaded', { headers: { 'retry-after': '2' } })
}

function refuseNul(url: string): void {
  if (url.includes('%00')) throw new Problem('malformed_request', { detail: 'The address can’t hold a NUL character.' })
}

/** Takes over the name that a caller or a proxy has given the request. */
function givenId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}

/** Names requests by counting on from one random name for the process: every request has one, so it must cost nothing. */
function requestIds(makeId: MakeId): () => string {
  const process = makeId('req')
  let count = 0
  return () => `${process}-${(count++).toString(36)}`
}
