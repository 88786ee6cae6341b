const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN'])

/** SQLSTATE classes 08 (connection), 53 (resources, disk full), 57 (shutting down), 58 (system error). */
export function postgresUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && (NETWORK.has(code) || /^(08|53|57P|58)/.test(code))) return true
  // The driver reports these two without a code.
  return (
    typeof message === 'string' &&
    /^(Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after)/.test(message)
  )
}

/** A serialization failure or deadlock: the same work, run again, is expected to succeed. */
export function postgresRetryable(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '40001' || code === '40P01'
}
