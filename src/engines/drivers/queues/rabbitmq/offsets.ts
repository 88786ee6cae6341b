import { badPosition } from '../messages.ts'

/** The offset of the first message that is wanted. A stream that is shorter than the position is another one of the same name, and is read from its beginning. */
export function firstWanted(after: string | null, last: number): number {
  if (after === null) return 0
  const offset = /^\d{1,16}$/.test(after) ? Number(after) : Number.NaN
  if (!Number.isSafeInteger(offset)) throw badPosition('12345')
  return offset > last ? 0 : offset + 1
}
