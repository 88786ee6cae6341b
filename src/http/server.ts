import type { IncomingMessage, RequestListener, Server } from 'node:http'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../engines/clock.ts'
import type { MakeId } from '../engines/ids.ts'
import type { Log } from '../engines/log.ts'
import { Problem } from '../errors.ts'
import { limitArrival } from './arrival.ts'
import { answerClientError } from './client-errors.ts'
import { serializerCompiler, validatorCompiler } from './compilers.ts'
import type { Connections } from './connections.ts'
import type { FailureLog } from './failure-log.ts'
import { readJsonBodies } from './json-body.ts'
import { createServer as createHttpServer } from './node-http.ts'
import type { Parts } from './parts.ts'
import { sendProblem, toProblem } from './problems.ts'
import type { Refusals } from './refusals.ts'
import { ANONYMOUS } from './request.ts'

export interface ServerNeeds {
  readonly clock: Clock
  readonly makeId: MakeId
  readonly log: Log
  readonly connections: Connections
  readonly refusals: Refusals
  /** One for all parts of the server, so that a failure common to all is logged once. */
  readonly failures: FailureLog
  readonly maxBodyBytes: number
  readonly trustProxy: boolean
}

const MAX_HEADER_BYTES = 16 * 1024
const HEADERS_MS = 20_000
/** How often the runtime looks for connections whose headers do not arrive. */
const LOOK_FOR_SLOW_MS = 5000
/** Longer than the usual 60 s of a proxy, so that the proxy closes the connection, not we. */
const KEEP_ALIVE_MS = 65_000

/** Given to the framework when it is made, since it would load its own otherwise. */
const COMPILERS = {
  buildValidator: () => validatorCompiler as never,
  buildSerializer: () => serializerCompiler as never
}

/** The HTTP server with everything that all routes share. Requests that it has no route for go to `parts`. */
export function createServer(needs: ServerNeeds, parts?: Parts): FastifyInstance {
  const app = createPart(needs, undefined, (handler) => {
    const server = createHttpServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
      requestTimeout: 0, // how long a body may take depends on the operation: see limitArrival
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false
    })
    const route: RequestListener =
      parts === undefined ? handler : (request, response) => parts.route(request, response, handler)
    needs.connections.attach(server, route)
    return server
  })
  // Left alone, the runtime would answer an expectation that it does not know with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/** A part of the server: it listens to nobody and gets its requests through `routing`. */
export function createPart(
  needs: ServerNeeds,
  rewriteAddress?: (url: string) => string,
  serverFactory: (handler: RequestListener) => Server = () => createHttpServer()
): FastifyInstance {
  const nextId = requestIds(needs.makeId)
  const app = Fastify({
    logger: false,
    bodyLimit: needs.maxBodyBytes,
    // Trusts the nearest proxy only: anyone can have written what stands before its word in the header.
    trustProxy: needs.trustProxy ? (_address, hop) => hop === 0 : false,
    return503OnClosing: false,
    // Only where it is needed: with it the framework adds to every request, and takes longer for all that reads it.
    ...(rewriteAddress && { rewriteUrl: (request: IncomingMessage) => rewriteAddress(request.url ?? '/') }),
    genReqId: (request) => givenId(request.headers['x-request-id']) ?? nextId(),
    serverFactory,
    routerOptions: { maxParamLength: 4096 },
    schemaController: { compilersFactory: COMPILERS },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, nextId()),
    frameworkErrors: (error, request, reply) => {
      void sendProblem(toProblem(error), request, reply.header('x-request-id', request.id))
    }
  })
  app.setSchemaErrorFormatter((errors) => errors as never)
  app.decorateRequest('actor', null as never) // set to ANONYMOUS below
  app.decorateRequest('token', undefined)
  app.decorateRequest('startedAtMs', 0)
  app.decorateRequest('underWay', null as never) // set below
  readJsonBodies(app)
  app.addHook('onRequest', (request, reply, done) => {
    const underWay = needs.connections.begin(request.raw, reply.raw)
    if (underWay === undefined) {
      reply.hijack() // the connection is closed when the answers before this one are out
      return
    }
    request.underWay = underWay
    request.actor = ANONYMOUS
    reply.header('x-request-id', request.id)
    if (request.raw.headers['content-length'] !== undefined || request.raw.headers['transfer-encoding'] !== undefined) {
      limitArrival(request, reply, needs.clock)
    }
    if (underWay.isTooMany) {
      done(new Problem('too_many_at_once', { headers: { 'retry-after': '1' }, repeated: true }))
      return
    }
    const hasHost = request.headers.host !== undefined || request.raw.httpVersion === '1.0'
    if (!hasHost) done(new Problem('malformed_request', { detail: 'Send a Host header.' }))
    else done(isSupportedExpectation(request.headers.expect) ? undefined : new Problem('expectation_failed'))
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, needs))
  app.setNotFoundHandler((request, reply) => sendProblem(noSuchRoute(request.url), request, reply))
  return app
}

/** Whoever puts a reference into an address as it stands asks for a path that nothing has. */
function noSuchRoute(url: string): Problem {
  const [path = ''] = url.split('?', 1)
  if (!/\/[a-z]+:\//.test(path)) return new Problem('route_not_found')
  const detail =
    'References are percent-encoded in addresses: object://bucket/key is object%3A%2F%2Fbucket%2Fkey. If it is, check the path against /api/docs.'
  return new Problem('route_not_found', { detail })
}

async function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { refusals, failures }: Pick<ServerNeeds, 'refusals' | 'failures'>
) {
  let problem = asCalledHere(toProblem(error), request)
  if (problem.status >= 500) failures.tell(problem, request.id)
  try {
    await refusals.note(problem, request)
  } catch (failure) {
    problem = toProblem(failure)
    failures.tell(problem, request.id)
  }
  return sendProblem(problem, request, reply)
}

function asCalledHere(problem: Problem, { routeOptions }: FastifyRequest): Problem {
  if (problem.code !== 'payload_too_large') return problem
  const { tooLarge } = routeOptions.config.route ?? {}
  if (tooLarge !== undefined) return new Problem(tooLarge, { cause: problem })
  if ((problem.cause as FastifyError | undefined)?.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return problem
  const detail = `A body may have ${routeOptions.bodyLimit} bytes here (MAX_BODY_BYTES): send less at a time.`
  return new Problem('payload_too_large', { detail, cause: problem })
}

const isSupportedExpectation = (expected: string | undefined): boolean =>
  expected === undefined || expected.trim().toLowerCase() === '100-continue'

/** The id that the caller or a proxy has given the request. */
function givenId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}

/** Makes ids by counting on from one random id for the process: every request needs one, so it must cost nothing. */
function requestIds(makeId: MakeId): () => string {
  const process = makeId('req')
  let count = 0
  return () => `${process}-${(count++).toString(36)}`
}
