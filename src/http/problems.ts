import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDiskFull } from '../engines/full-disk.ts'
import { isUnavailable } from '../engines/metadata/index.ts'
import { isUnwritable } from '../engines/unwritable.ts'
import { ERRORS, type ErrorCode, Problem } from '../errors.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** Refusals of the HTTP layer itself, by its own codes. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'unsupported_media_type',
  FST_ERR_ROUTE_MISSING_CONTENT: 'malformed_request',
  FST_ERR_ASYNC_CONSTRAINT: 'malformed_request',
  ERR_STREAM_PREMATURE_CLOSE: 'malformed_request'
}

/** Turns anything thrown into a problem of the catalogue; an unknown error becomes `internal_error`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = isBrokenOff(error) ? 'malformed_request' : FASTIFY_CODES[(error as FastifyError).code ?? '']
  if (code !== undefined) return new Problem(code, { cause: error })
  if (isDiskFull(error)) return new Problem('disk_full', { cause: error, headers: { 'retry-after': '10' } })
  if (isUnwritable(error)) return new Problem('disk_unwritable', { cause: error, headers: { 'retry-after': '10' } })
  if (isUnavailable(error)) {
    return new Problem('dependency_unavailable', { cause: error, headers: { 'retry-after': '2' } })
  }
  return new Problem('internal_error', { cause: error })
}

/** The client has gone in the middle of its request. Where a database or another server has, a call to the system failed. */
const isBrokenOff = (error: unknown): boolean => {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' && syscall === undefined
}

export function problemBody(problem: Problem, request: { id: string; url: string }, further: object = {}): string {
  return JSON.stringify({
    type: `/api/docs/errors/${problem.code}`,
    title: ERRORS[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    instance: request.url.split('?', 1)[0]?.slice(0, 500),
    code: problem.code,
    requestId: request.id,
    ...(problem.errors && { errors: problem.errors }),
    ...problem.members,
    ...further
  })
}

export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  for (const [name, value] of Object.entries(problem.headers ?? {})) reply.header(name, value)
  if (problem.page !== undefined) {
    return reply.code(problem.status).type('text/html; charset=utf-8').serializer(String).send(problem.page)
  }
  const foreign = request.routeOptions.config?.route?.foreign
  const body = problemBody(problem, request, foreign?.problemMembers(problem, request))
  // The body is text already: the route's serializer is for its own answers.
  return reply
    .code(problem.status)
    .type(foreign?.problemType ?? PROBLEM_TYPE)
    .serializer(String)
    .send(body)
}
