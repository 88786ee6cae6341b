import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bus } from '../engines/bus/index.ts'
import type { Db, Metadata } from '../engines/metadata/index.ts'
import { type ErrorCode, Problem } from '../errors.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { AuditTrail } from './audit-trail.ts'
import { recordChanges, tellChanges } from './changes.ts'
import { NO_QUERY, withFixedFields } from './compilers.ts'
import { etagOf, isFresh, requireMatch } from './etag.ts'
import type { Answer, Claim, Idempotency, Remembered } from './idempotency.ts'
import { readJsonAs } from './json-body.ts'
import type { OpenAnswers } from './open-answers.ts'
import { type Actor, can, permissionsOf } from './permissions.ts'
import { requestFacts } from './request.ts'
import { headersUnderstood } from './request-headers.ts'
import {
  addressOf,
  auditOf,
  BytesAnswer,
  type Context,
  type Outcome,
  type Route,
  StatusAnswer,
  StreamAnswer
} from './route.ts'
import { sendBytes } from './send-bytes.ts'
import { answerPreflight, letSitesRead } from './sites.ts'

export interface RouteNeeds {
  readonly metadata: Metadata
  readonly bus: Bus
  readonly audit: AuditTrail
  readonly idempotency: Idempotency
  readonly openAnswers: OpenAnswers
  readonly cache: AnswerCache
}

/** Puts operations on the server, and a 405 at every path for the methods it does not take. */
export function serveRoutes(app: FastifyInstance, routes: readonly Route[], needs: RouteNeeds): void {
  const { cache } = needs
  const put = (scope: FastifyInstance, route: Route) =>
    scope.route({
      method: route.method,
      url: addressOf(route),
      config: { route },
      schema: {
        ...(route.params && { params: route.params }),
        ...(route.anyQuery !== true && { querystring: route.query ?? NO_QUERY }),
        ...(route.method !== 'GET' && route.stream === undefined && { body: bodyOf(route) }),
        ...(route.isPlain !== true && { response: responsesOf(route) })
      },
      onRequest:
        route.sites === undefined ? headersUnderstood(route) : [letSitesRead(route.sites), headersUnderstood(route)],
      ...(route.refusal !== undefined && { attachValidation: true, preHandler: refuseAlike(route.refusal) }),
      handler: route.read === undefined ? changeHandler(route, needs) : readHandler(route, cache, needs.openAnswers)
    })
  for (const route of routes) if (route.stream === undefined && route.foreign?.bodyTypes === undefined) put(app, route)
  for (const [bodyTypes, foreign] of Map.groupBy(routes, ({ foreign }) => foreign?.bodyTypes)) {
    if (bodyTypes === undefined) continue
    app.register(async (scope) => {
      readJsonAs(scope, bodyTypes)
      for (const route of foreign) put(scope, route)
    })
  }
  app.register(async (scope) => {
    leaveBodiesAlone(scope)
    for (const route of routes) if (route.stream !== undefined) put(scope, route)
  })
  refuseOtherMethods(app, routes)
}

function refuseAlike(code: ErrorCode) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    done(request.validationError === undefined ? undefined : new Problem(code, { cause: request.validationError }))
  }
}

/** Bodies of any media type are left on the connection, for the operation to read. */
function leaveBodiesAlone(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

function responsesOf({ status, otherStatuses = [], answer }: Route): Record<number, object> {
  return Object.fromEntries([status, ...otherStatuses].map((code) => [code, answer]))
}

function bodyOf({ method, body, answer }: Route): object {
  if (body === undefined) return NO_BODY
  return method === 'PUT' || method === 'PATCH' ? withFixedFields(body, answer) : body
}

/** Operations without a body accept an empty object, which some clients can't help sending. */
const NO_BODY = { type: ['object', 'null'], additionalProperties: false }

function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  for (const [url, there] of Map.groupBy(routes, addressOf)) {
    const methods = there.map(({ method }) => method as string)
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (method) => !allowed.includes(method)
    )
    const code = there.find(({ refusal }) => refusal !== undefined)?.refusal ?? 'method_not_allowed'
    const handler = () => {
      throw new Problem(code, { headers: { allow: allowed.join(', ') } })
    }
    const isAskedBySites = there.some(({ sites }) => sites !== undefined)
    // In onRequest, so that the body is not read first.
    const onRequest = isAskedBySites ? [answerPreflight(there), handler] : handler
    app.route({ method: others, url, onRequest, handler, exposeHeadRoute: false })
  }
}

function readHandler(route: Route, cache: AnswerCache, openAnswers: OpenAnswers) {
  const run = route.read as NonNullable<Route['read']>
  const answerType = route.foreign?.answerType ?? JSON_TYPE
  let last: { answer: unknown; body: string } | undefined
  const textOf = (answer: unknown, reply: FastifyReply): string => {
    // An answer that is the very object of last time, and can't have been changed since, has the same text.
    if (last !== undefined && last.answer === answer) return last.body
    const body = reply.serialize(answer) as string
    last = Object.isFrozen(answer) ? { answer, body } : undefined
    return body
  }

  function finish(answer: unknown, request: FastifyRequest, reply: FastifyReply, stamp: string | undefined) {
    if (answer instanceof StreamAnswer) {
      openAnswers.watch(request, reply, answer.refuse)
      reply.headers(answer.headers).type(answer.contentType).serializer(passOn)
      return reply.send(Readable.from(answer.chunks))
    }
    if (answer instanceof BytesAnswer) {
      if (answer.body !== undefined && !Buffer.isBuffer(answer.body)) openAnswers.watch(request, reply)
      return sendBytes(answer, request, reply)
    }
    if (answer instanceof StatusAnswer) {
      reply.code(answer.status).headers(answer.headers)
      return answer.status === 204 ? reply.send() : reply.send(answer.answer)
    }
    if (route.status === 204) return reply.code(204).send()
    const body = textOf(answer, reply)
    const etag = etagOf(answer)
    if (stamp !== undefined) cache.put(request.actor, request.url, { stamp, body, etag })
    return sendText(request, reply, body, etag, answerType)
  }

  return (request: FastifyRequest, reply: FastifyReply) => {
    const stamp = route.madeFrom === undefined ? undefined : cache.stampOf(route.madeFrom)
    const kept = stamp === undefined ? undefined : cache.get(request.actor, request.url, stamp)
    if (kept !== undefined) return sendText(request, reply, kept.body, kept.etag, answerType)
    const answer = run(request as never) // a request has everything that a context has
    // Without a promise where none is needed: the commonest answers are at hand.
    if (!(answer instanceof Promise)) return finish(answer, request, reply, stamp)
    return answer.then((value) => finish(value, request, reply, stamp))
  }
}

function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  etag: string | undefined,
  type: string
): FastifyReply {
  if (etag !== undefined) {
    reply.header('etag', etag)
    if (isFresh(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  return reply.header('content-type', type).serializer(passOn).send(body)
}

const JSON_TYPE = 'application/json; charset=utf-8'

const passOn = (payload: unknown) => payload as string

function changeHandler(route: Route, needs: RouteNeeds) {
  const act = route.work === undefined ? commitChange : performWork
  const answerType = route.foreign?.answerType ?? JSON_TYPE
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const key = request.headers['idempotency-key']
    const claim = typeof key === 'string' && route.method === 'POST' ? await claimKey(key, request, needs) : undefined
    if (claim !== undefined && 'body' in claim) {
      requireRights(request.actor, claim)
      await requireSame(route, request, claim)
      return sendAnswer(reply.header('idempotency-replayed', 'true'), claim, answerType)
    }
    const release = claim && needs.idempotency.keep(claim)
    try {
      const { outcome, answer } = await act(route, request, reply, claim, needs)
      tellChanges(needs.bus, outcome.changes)
      return sendAnswer(reply, answer, answerType)
    } catch (error) {
      if (claim !== undefined) await needs.idempotency.release(claim)
      throw error
    } finally {
      release?.()
    }
  }
}

/**
 * A kept answer is only given to a caller that may still do all that the first caller was allowed, even if it is the
 * same one.
 */
function requireRights(actor: Actor, { rights }: Remembered): void {
  const permission = rights.find((right) => !can(actor, right))
  if (permission === undefined) return
  const detail = 'This was done before with rights that you no longer have; read what became of it with those you have.'
  throw new Problem('permission_denied', { detail, members: { permission } })
}

function claimKey(key: string, request: FastifyRequest, { idempotency }: RouteNeeds): Promise<Claim | Remembered> {
  const asked = `${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`
  // An API key is a caller of its own: its answers may hold more than the user's other keys are allowed.
  return idempotency.begin(request.actor.apiKeyId ?? request.actor.id, key, asked)
}

/** A streamed body is not part of the request's fingerprint; it is compared with the body that was answered before. */
async function requireSame(route: Route, request: FastifyRequest, { body }: Answer): Promise<void> {
  const { isSame } = route.work ?? {}
  if (isSame === undefined || (await isSame(request as never, JSON.parse(body)))) return
  throw new Problem('idempotency_key_reused')
}

type Act = (
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  claim: Claim | undefined,
  needs: RouteNeeds
) => Promise<{ outcome: Outcome<unknown>; answer: Answer }>

/** The change, its audit rows and the answer kept for its key: one transaction. */
const commitChange: Act = async (route, request, reply, claim, needs) => {
  const { gather, run } = route.change as NonNullable<Route['change']>
  const context = contextOf(request)
  const gathered = await gather?.(context as never)
  return needs.metadata.transaction(async (tx) => {
    const outcome = await run({ ...context, tx, gathered } as never)
    requireMatch(request.headers['if-match'], outcome.changes[0].before)
    return { outcome, answer: await record(tx, outcome, { route, request, reply, claim, needs }) }
  }, roomOf(route))
}

/** Does the work first; then commits what it reports, in one transaction. */
const performWork: Act = async (route, request, reply, claim, needs) => {
  const { run } = route.work as NonNullable<Route['work']>
  const outcome = await run(contextOf(request) as never)
  return needs.metadata.transaction(async (tx) => {
    await outcome.commit?.(tx)
    return { outcome, answer: await record(tx, outcome, { route, request, reply, claim, needs }) }
  }, roomOf(route))
}

/** What may still be done on a full disk: deleting, stopping what fills it, and taking rights back. */
const roomOf = (route: Route) => ({ makesRoom: /\.(delete|stop|revoke)$/.test(auditOf(route) as string) })

function contextOf(request: FastifyRequest) {
  const { actor, params, query, body, headers, method, raw, id, ip } = request
  const callerNow = () => request.callerNow()
  return { actor, callerNow, params, query, body, headers, method, raw, id, ip } as Context<unknown, unknown, unknown>
}

interface Recorded {
  readonly route: Route
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly claim: Claim | undefined
  readonly needs: RouteNeeds
}

async function record(tx: Db, outcome: Outcome<unknown>, { route, request, reply, claim, needs }: Recorded) {
  const status = outcome.status ?? route.status
  const action = auditOf(route) as string
  await recordChanges(tx, needs.audit, outcome.changes, { ...requestFacts(request), action, status })
  const answer = toAnswer(route, outcome, status, reply)
  if (claim !== undefined)
    await needs.idempotency.finish(tx, claim, { ...answer, rights: permissionsOf(request.actor) })
  return answer
}

function toAnswer(route: Route, outcome: Outcome<unknown>, status: number, reply: FastifyReply): Answer {
  const etag = etagOf(outcome.answer)
  const headers = {
    ...(etag !== undefined && { etag }),
    ...(status === 201 && { location: `${addressOf(route)}/${encodeURIComponent(outcome.changes[0].id)}` }),
    ...outcome.headers
  }
  return { status, headers, body: status === 204 ? '' : (reply.code(status).serialize(outcome.answer) as string) }
}

function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer, type: string): FastifyReply {
  reply.code(status).headers(headers)
  if (body === '') return reply.send()
  return reply.header('content-type', type).serializer(passOn).send(body)
}
