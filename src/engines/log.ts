import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'

/** Names whose values never reach a log, however they got into a log call. */
const SECRET_NAMES = ['authorization', 'password', 'secret', 'secretKey', 'accessKey', 'token', 'key', 'credentials']

const TRY_LATER = 503

interface RequestLike {
  id: string
  method: string
  ip: string
  routeOptions: { url?: string | undefined }
  headers: NodeJS.Dict<string | string[]>
  actor: { id: string }
}

/** Structured log lines. Bodies, headers and query parameters are never logged. */
export interface Log {
  readonly logger: Logger
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /**
   * A finished request. Successful reads are logged at debug: the metrics count them, and the audit trail has
   * everything else. So are those that were refused with 503, of which the first for each reason and then sums are told.
   */
  request(request: RequestLike, reply: { statusCode: number }, elapsedMs: number): void
  /** A request that failed through no fault of the caller. */
  failure(problem: Error & { code: string }, requestId: string): void
}

export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Log {
  const paths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const logger = pino({ ...options, redact: paths }, destination)
  // Lines about requests have a fixed set of harmless fields, and searching each for secrets would cost time.
  const requests = pino(options, destination)
  return {
    logger,
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    request(request, reply, elapsedMs) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const quiet = reply.statusCode === TRY_LATER || (reply.statusCode < 400 && isRead)
      const level = quiet ? 'debug' : 'info'
      if (!logger.isLevelEnabled(level)) return
      const fields = {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(elapsedMs * 10) / 10,
        ip: request.ip,
        user: request.actor.id || undefined,
        traceId: traceId(request.headers.traceparent)
      }
      requests[level](fields, 'request')
    },
    failure(problem, requestId) {
      const cause =
        problem.cause instanceof Error ? { message: problem.cause.message, stack: problem.cause.stack } : undefined
      logger.error(
        { requestId, code: problem.code, cause, stack: cause === undefined ? problem.stack : undefined },
        problem.message
      )
    }
  }
}

/** The trace id in a W3C `traceparent` header. */
function traceId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/.exec(header)?.[1] : undefined
}
