import { invalidField } from '../../errors.ts'

/** The name that the next page comes after; a cursor goes on with the search it was made for. */
export function writeTagCursor(after: string, q: string | undefined): string {
  return Buffer.from(JSON.stringify([after, q ?? null])).toString('base64url')
}

export function readTagCursor(cursor: string, q: string | undefined): string {
  try {
    const [after, ofQ] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const isName = typeof after === 'string' && after.length > 0 && !after.includes('\0') && after.isWellFormed()
    if (isName && ofQ === (q ?? null)) return after
  } catch {
    // told below, like every other cursor that is not one of ours
  }
  throw invalidField('/query/cursor', 'must be the nextCursor of an earlier page of this list, with the same q')
}
