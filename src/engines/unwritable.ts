import { accessSync, constants } from 'node:fs'

/** Primary result code of SQLite for a file, or its folder, that can't be written. */
const SQLITE_READONLY = 8
const CODES = new Set<unknown>(['EROFS', 'EACCES', 'EPERM'])

/**
 * Whether the reason of a failure is that files can't be written here: a read-only disk, or one that belongs to
 * others.
 */
export function isUnwritable(error: unknown): boolean {
  const { code, errcode, path } = (error ?? {}) as { code?: unknown; errcode?: unknown; path?: unknown }
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_READONLY
  // Without a path the error is about a socket.
  return code === 'EROFS' || (CODES.has(code) && typeof path === 'string')
}

/** Throws where no file can be made in a folder. Writes nothing. */
export function requireWritable(folder: string): void {
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
}
