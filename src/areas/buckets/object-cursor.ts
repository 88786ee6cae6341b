import { invalidField } from '../../errors.ts'

/** What a page was asked for; a cursor goes on with exactly that. */
interface Place {
  readonly prefix: string
  readonly recursive: boolean
}

export function writeCursor(next: string, { prefix, recursive }: Place): string {
  return Buffer.from(JSON.stringify([next, prefix, recursive])).toString('base64url')
}

export function readCursor(cursor: string, { prefix, recursive }: Place): string {
  try {
    const [next, ofPrefix, ofRecursive] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const isText = typeof next === 'string' && next.length > 0 && !next.includes('\0')
    if (isText && ofPrefix === prefix && ofRecursive === recursive) return next
  } catch {
    // told below, like every other cursor that is not one of ours
  }
  throw invalidField('/query/cursor', 'must be the nextCursor of an earlier page of this list, with the same prefix')
}
