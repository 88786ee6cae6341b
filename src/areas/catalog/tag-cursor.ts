import { readCursor, refusedCursor, writeCursor } from '../../http/cursor.ts'

/** The name that the next page comes after; a cursor goes on with the search it was made for. */
export function writeTagCursor(after: string, q: string | undefined): string {
  return writeCursor([after, q ?? null])
}

export function readTagCursor(cursor: string, q: string | undefined): string {
  const place = readCursor(cursor)
  const [after, ofQ] = Array.isArray(place) ? (place as unknown[]) : []
  const isName = typeof after === 'string' && after.length > 0 && !after.includes('\0') && after.isWellFormed()
  if (isName && ofQ === (q ?? null)) return after
  throw refusedCursor('with the same q')
}
