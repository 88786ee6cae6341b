import { LogNotFlushed } from './sqlite-log.ts'

// Primary result codes of SQLite: BUSY, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB.
const UNAVAILABLE = new Set([5, 7, 8, 10, 11, 13, 14, 26])

export function sqliteUnavailable(error: unknown): boolean {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: unknown; message?: unknown }
  // What `node:sqlite` says of a connection that was closed, and of its statements.
  if (error instanceof LogNotFlushed) return true
  if (code === 'ERR_INVALID_STATE') return /^(database is not open|statement has been finalized)/.test(String(message))
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' && UNAVAILABLE.has(errcode & 0xff)
}
