import { MAX_PARTS } from '../limits.ts'

const MIB = 1024 * 1024
/** What fits into one goes in one request. */
export const PART_BYTES = 8 * MIB
const PARTS_OF_ONE_SIZE = 1000

/** So that what nobody announced still has room for 400 GiB in the number of parts that is allowed. */
export function partBytes(number: number, announcedBytes = 0): number {
  const share = Math.ceil(announcedBytes / MAX_PARTS / MIB) * MIB
  return Math.max(share, PART_BYTES * Math.ceil(number / PARTS_OF_ONE_SIZE))
}
