import { fromNetwork, SqlError, type SqlErrorCode } from '../errors.ts'

const EXACT: Readonly<Record<string, SqlErrorCode>> = {
  '3D000': 'no_such_database',
  '42P01': 'no_such_table',
  '3F000': 'no_such_table',
  '42703': 'no_such_column',
  '42501': 'denied',
  '25006': 'denied',
  '23505': 'conflict',
  '23P01': 'conflict',
  '57014': 'timeout',
  '54000': 'bad_value',
  '21000': 'bad_value'
}

/** Codes by class of SQLSTATE. */
const CLASSES: Readonly<Record<string, SqlErrorCode>> = {
  '28': 'unauthorized',
  '22': 'bad_value',
  '23': 'bad_value',
  '08': 'unavailable',
  '40': 'unavailable',
  '53': 'unavailable',
  '55': 'unavailable',
  '57': 'unavailable',
  '58': 'unavailable'
}

// The driver's own errors have no code: a lost connection, a timeout, a server without TLS.
const NO_TLS = /does not support SSL/
/** No rule of the server lets this user in, at least not without encryption. */
const WRONG_AUTHORIZATION = '28000'
const NO_ENCRYPTION = /no encryption|SSL off/

export function fromPostgres(error: unknown): unknown {
  const known = fromNetwork(error)
  if (known !== undefined) return known
  const { code, message } = error as { code?: unknown; message?: string }
  if (code === WRONG_AUTHORIZATION && NO_ENCRYPTION.test(message ?? '')) {
    return new SqlError('tls', `PostgreSQL: ${message}; it may want a secure connection (${code})`)
  }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    const meaning = EXACT[code] ?? CLASSES[code.slice(0, 2)] ?? 'invalid_query'
    return new SqlError(meaning, `PostgreSQL: ${message} (${code})`)
  }
  if (NO_TLS.test(message ?? '')) {
    return new SqlError('tls', 'The server offers no secure connection')
  }
  if (/^SASL|client password/.test(message ?? '')) {
    return new SqlError('unauthorized', 'The server wants a password, and none was given')
  }
  if (/timeout/.test(message ?? '')) return new SqlError('unreachable', 'The server did not answer in time')
  if (/terminated|ended|closed|connection error/i.test(message ?? '')) {
    return new SqlError('unavailable', 'The connection to PostgreSQL was lost; try again')
  }
  return error
}
