import { invalidField, type Problem } from '../errors.ts'

/** A place in a list as text that goes into an address, and that nobody but the list has to understand. */
export function writeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** The place; undefined where the text was not written here. What it holds is still to be looked at: anybody can write one. */
export function readCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** The refusal of a cursor that was made by another list, or with other filters or another order. */
export function refusedCursor(asked: string): Problem {
  return invalidField('/query/cursor', `must be the nextCursor of an earlier page of this list, ${asked}`)
}
