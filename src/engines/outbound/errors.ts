export type OutboundErrorCode =
  | 'refused_by_policy'
  | 'unknown_host'
  | 'unreachable'
  | 'connection_refused'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'bad_url'
  /** Never thrown here, where a redirect is an answer; for callers to whom it is an error. */
  | 'redirect'
  | 'aborted'
  | 'protocol'

/**
 * Why a call failed and what to change, fit to be shown to a user: nothing of the answer, of the headers sent, or of
 * the URL but its host. It has no `cause`, since those of the HTTP library carry such things.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly code: OutboundErrorCode
  /** Where encryption failed: what Node calls it, such as `CERT_HAS_EXPIRED`. */
  readonly reason: string | undefined

  constructor(code: OutboundErrorCode, message: string, reason?: string) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

/** The error for a failure of the system or of the HTTP library; `where` is the host and port that were called. */
export function toOutboundError(error: unknown, where: string): OutboundError {
  if (error instanceof OutboundError) return error
  const reason = String((error as { code?: unknown } | null)?.code ?? 'no code')
  switch (reason) {
    case 'ECONNREFUSED':
      return new OutboundError('connection_refused', `Nothing accepts connections at ${where}; check the port`)
    case 'ETIMEDOUT':
      return new OutboundError('timeout', `${where} did not answer; check that it is up and no firewall is in the way`)
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENETDOWN':
    case 'EHOSTDOWN':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
      return new OutboundError('unreachable', `No network path leads to ${where} (${reason}); check the address`)
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return new OutboundError(
        'unreachable',
        `${where} closed the connection before its answer was complete; try again`
      )
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new OutboundError(
        'too_large',
        `The headers that ${where} answers with are too large; call another address`
      )
    case 'UND_ERR_INVALID_ARG':
    case 'UND_ERR_NOT_SUPPORTED':
      return new OutboundError('protocol', 'The method or a header of the request is not valid HTTP; correct it')
    case 'UND_ERR_CLOSED':
    case 'UND_ERR_DESTROYED':
      return new OutboundError('aborted', `The connection to ${where} was given up; try again`)
    default:
      return new OutboundError('protocol', `${where} does not answer with valid HTTP (${reason}); check the address`)
  }
}
