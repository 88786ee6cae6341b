import { randomBytes } from 'node:crypto'

/** A name that no file had before, of characters that every file system takes. */
export function newFile(): string {
  return randomBytes(16).toString('hex')
}
