import { OutboundError } from '../outbound/errors.ts'

export type SqlErrorCode =
  | 'unreachable'
  | 'refused_by_policy'
  | 'tls'
  | 'unauthorized'
  | 'no_such_database'
  | 'no_such_table'
  | 'no_such_column'
  | 'denied'
  | 'invalid_query'
  | 'bad_value'
  | 'conflict'
  | 'changes_off'
  | 'position_lost'
  | 'timeout'
  | 'unavailable'

const TRANSIENT: ReadonlySet<SqlErrorCode> = new Set(['unreachable', 'timeout', 'unavailable'])
const ABOUT_ROWS: ReadonlySet<SqlErrorCode> = new Set(['bad_value', 'conflict'])
const MAX_TEXT_CHARS = 500

/** Why a database refused, fit to be shown to whoever gave its address. There is no `cause`: drivers put statements in. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  readonly code: SqlErrorCode
  /** Whether trying again may help. */
  readonly isTransient: boolean
  /** Whether single rows are at fault, so that others may be accepted. */
  readonly isAboutRows: boolean
  /** Where encryption failed: what Node calls it, such as `CERT_HAS_EXPIRED`. */
  readonly reason: string | undefined

  constructor(
    code: SqlErrorCode,
    message: string,
    options: { isTransient?: boolean; reason?: string | undefined } = {}
  ) {
    super(message.length > MAX_TEXT_CHARS ? `${message.slice(0, MAX_TEXT_CHARS)}…` : message)
    this.code = code
    this.isTransient = options.isTransient ?? TRANSIENT.has(code)
    this.isAboutRows = ABOUT_ROWS.has(code)
    this.reason = options.reason
  }
}

export function closed(): SqlError {
  return new SqlError('unavailable', 'The database has been closed', { isTransient: false })
}

/** A column that is written and not there, which happens where data get one more. `addition` is a statement that adds it. */
export function noSuchColumn(table: readonly string[], column: string, addition: string): SqlError {
  const message = `The table ${table.join('.')} has no column ${JSON.stringify(column)}`
  return new SqlError('no_such_column', `${message}: add it (${addition}), or do not write it`)
}

/** The error for a failed call through the guarded client. */
export function fromOutbound({ code, message, reason }: OutboundError): SqlError {
  switch (code) {
    case 'timeout':
      return new SqlError('timeout', message)
    case 'aborted':
      return new SqlError('unavailable', message)
    case 'tls':
      return new SqlError('tls', message, { reason })
    case 'refused_by_policy':
      return new SqlError('refused_by_policy', message)
    case 'bad_url':
    case 'protocol':
      return new SqlError('unreachable', message, { isTransient: false })
    default:
      return new SqlError('unreachable', message)
  }
}

const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL'
])
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|HANDSHAKE_SSL|HANDSHAKE_NO_SSL/

/** The error for a network failure below a driver; undefined if it is none. */
export function fromNetwork(error: unknown): SqlError | undefined {
  if (error instanceof SqlError) return error
  if (error instanceof OutboundError) return fromOutbound(error)
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string') return undefined
  if (NO_CONNECTION.has(code)) {
    return new SqlError('unreachable', `Nothing answers there (${code}); check host and port, and that it is up`)
  }
  if (CERTIFICATE.test(code)) {
    const message = `No secure connection (${code}); check the certificate of the server`
    return new SqlError('tls', message, { reason: code })
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new SqlError('unavailable', `The connection broke off (${code}); try again`)
  }
  return undefined
}
