import { OutboundError } from '../outbound/errors.ts'

export type BrokerErrorCode =
  /** The broker does not answer, or stopped answering; the same call may work when it is back. */
  | 'unreachable'
  /** The broker, or the rules for outbound calls, refused. */
  | 'refused'
  | 'unauthorized'
  /** A stream or topic that is needed does not exist. */
  | 'not_found'
  | 'too_large'
  /** The broker or the consumer was closed here. */
  | 'closed'
  | 'invalid'

/** Why a broker could not be used and what to change, fit to be shown to a user: no credentials and no payloads. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError'
  readonly code: BrokerErrorCode
  /** What the network or the rules for outbound calls said, such as `CERT_HAS_EXPIRED`, where they failed. */
  readonly reason: string | undefined

  constructor(code: BrokerErrorCode, message: string, reason?: string) {
    super(message)
    this.code = code
    this.reason = reason
  }

  /** Whether the same call may work later without anybody changing anything. */
  get isTransient(): boolean {
    return this.code === 'unreachable'
  }
}

/**
 * The error for a failure to reach `where`, a host and port. Errors that a kind of broker knows better are handled
 * there.
 */
export function toBrokerError(error: unknown, where: string): BrokerError {
  if (error instanceof BrokerError) return error
  if (error instanceof OutboundError) return fromOutbound(error)
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const reason = String(code ?? message ?? 'no reason given')
  if (isCertificateFault(reason)) {
    return new BrokerError(
      'refused',
      `No secure connection to ${where} (${reason}); check its certificate and port`,
      reason
    )
  }
  if (reason === 'ECONNREFUSED') {
    return new BrokerError(
      'unreachable',
      `Nothing accepts connections at ${where}; check the port, and that it is up`,
      reason
    )
  }
  return new BrokerError('unreachable', `${where} does not answer (${reason}); check that it is up`, reason)
}

function fromOutbound(error: OutboundError): BrokerError {
  switch (error.code) {
    case 'refused_by_policy':
      return new BrokerError('refused', error.message, error.code)
    case 'bad_url':
      return new BrokerError('invalid', error.message, error.code)
    default:
      return new BrokerError('unreachable', error.message, error.code)
  }
}

function isCertificateFault(reason: string): boolean {
  return /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(reason)
}
