const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN'])

// How the driver and the query builder say that a connection was lost, could not be had, or was closed.
const WITHOUT_CODE =
  /^(Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after|Client (was closed|has encountered a connection error)|Postgres connection has been discarded|driver has already been destroyed)/

/** SQLSTATE classes 08 (connection), 53 (resources, disk full), 57 (shutting down), 58 (system error). */
export function postgresUnavailable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && (NETWORK.has(code) || /^(08|53|57P|58)/.test(code))) return true
  return typeof message === 'string' && WITHOUT_CODE.test(message)
}

// Messages of the driver where the server asks for a password, or where the other end is no PostgreSQL.
const MISADDRESSED = /^SASL|client password|received invalid response|SSL/i

/** Whether the address of the database is wrong, rather than the database itself. */
export function isPostgresMisaddressed(error: unknown): boolean {
  return MISADDRESSED.test(String((error as { message?: unknown } | undefined)?.message))
}

/**
 * A serialization failure or deadlock; or a row that came (23505) or went (23503) between looking and writing. Run
 * again, the same work sees that row and decides for itself.
 */
export function postgresRetryable(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '40001' || code === '40P01' || code === '23505' || code === '23503'
}
