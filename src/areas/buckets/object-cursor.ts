import { readCursor, refusedCursor, writeCursor } from '../../http/cursor.ts'

/** The place and the filters of a listing; a cursor goes on with exactly these. */
interface Place {
  readonly prefix: string
  readonly recursive: boolean
}

export function writeObjectCursor(next: string, { prefix, recursive }: Place): string {
  return writeCursor([next, prefix, recursive])
}

export function readObjectCursor(cursor: string, { prefix, recursive }: Place): string {
  const place = readCursor(cursor)
  const [next, ofPrefix, ofRecursive] = Array.isArray(place) ? (place as unknown[]) : []
  const isText = typeof next === 'string' && next.length > 0 && !next.includes('\0')
  if (isText && ofPrefix === prefix && ofRecursive === recursive) return next
  throw refusedCursor('with the same prefix')
}
