import { readCursor, refusedCursor, writeCursor } from '../../http/cursor.ts'

/** A cursor that holds the last name of the page, and the search that it belongs to. */
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
