import { OutboundError, type OutboundErrorCode, toOutboundError } from '../../outbound/errors.ts'
import { StoreError, type StoreErrorCode } from '../errors.ts'

/** A connection that ended without an answer; the same request may succeed on another one. */
export class LostConnection extends Error {}

/** An error of a body's source; it is not the network's, though it may look the same. */
export class BodyFailed extends Error {
  constructor(cause: unknown) {
    super('The body could not be read to its end', { cause })
  }
}

const CODES: Readonly<Partial<Record<OutboundErrorCode, StoreErrorCode>>> = {
  refused_by_policy: 'address_refused',
  unknown_host: 'unknown_host',
  bad_url: 'unknown_host',
  connection_refused: 'connection_refused',
  unreachable: 'connection_refused',
  tls: 'tls_failed',
  timeout: 'timed_out'
}

/** Why a request got no answer; `where` is the host and port that were called. */
export function describe(error: NodeJS.ErrnoException, where: string, duringTls: boolean): Error {
  if (error instanceof OutboundError || error.name === 'AbortError') return error
  if (duringTls && error.code !== 'ETIMEDOUT') {
    const reason = error.code ?? 'no code'
    return new OutboundError(
      'tls',
      `No secure connection to ${where} (${reason}); check its certificate, and that the port speaks HTTPS`,
      reason
    )
  }
  const described = toOutboundError(error, where)
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return new LostConnection(described.message)
  return described
}

/** The error for a failed connection to a store; undefined for any other failure. */
export function fromNetwork(error: unknown): StoreError | undefined {
  if (error instanceof StoreError) return error
  if (error instanceof OutboundError) {
    const { code, message, reason } = error
    return new StoreError(CODES[code] ?? 'store_failed', message, reason === undefined ? {} : { reason })
  }
  if (error instanceof LostConnection) return new StoreError('store_failed', error.message)
  const { name, code } = error as NodeJS.ErrnoException
  if (name === 'AbortError') return new StoreError('store_failed', 'The store was closed; try again')
  // Node's code for an answer that breaks off.
  if (code !== 'ECONNRESET') return undefined
  return new StoreError('store_failed', 'The store closed the connection before its answer was complete; try again')
}
