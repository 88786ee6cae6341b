import { MAX_PARTS } from '../limits.ts'

const MIB = 1024 * 1024
/** Content up to this size is sent in one request. */
export const PART_BYTES = 8 * MIB
const PARTS_OF_ONE_SIZE = 1000

/**
 * The size of a part: it grows, so that content of unknown size has room for 400 GiB in the allowed number of parts.
 */
export function partBytes(number: number, announcedBytes = 0): number {
  const share = Math.ceil(announcedBytes / MAX_PARTS / MIB) * MIB
  return Math.max(share, PART_BYTES * Math.ceil(number / PARTS_OF_ONE_SIZE))
}
