/** SQLite's FULL, and the failure to make its file of shared memory larger, which has a code of its own. */
const SQLITE_FULL = 13
const SQLITE_NO_SHARED_MEMORY = 4874
/** Of the system, and of PostgreSQL. */
const CODES = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100'])

/** For what may as well be written the next time. */
export function ignoreFullDisk(error: unknown): void {
  if (!isDiskFull(error)) throw error
}

/** Whether something failed because there is no room on a disk, or no more of it for this user. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  if (code !== 'ERR_SQLITE_ERROR' || typeof errcode !== 'number') return CODES.has(code)
  return (errcode & 0xff) === SQLITE_FULL || errcode === SQLITE_NO_SHARED_MEMORY
}
