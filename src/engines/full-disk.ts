/** SQLite's FULL, and its own code for a shared-memory file that can't grow. */
const SQLITE_FULL = 13
const SQLITE_NO_SHARED_MEMORY = 4874
/** Codes of the system, and of PostgreSQL. */
const CODES = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100'])

/** For data that may as well be written the next time. */
export function ignoreFullDisk(error: unknown): void {
  if (!isDiskFull(error)) throw error
}

/** Whether a failure was caused by a full disk or an exhausted quota. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  if (code !== 'ERR_SQLITE_ERROR' || typeof errcode !== 'number') return CODES.has(code)
  return (errcode & 0xff) === SQLITE_FULL || errcode === SQLITE_NO_SHARED_MEMORY
}
