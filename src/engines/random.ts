import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 4096
const pool = Buffer.allocUnsafe(POOL_BYTES)
let used = POOL_BYTES

/** Random bytes, valid until the next call. Asking the system for a few at a time would cost more than their use. */
export function takeRandom(count: number): Uint8Array {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}
