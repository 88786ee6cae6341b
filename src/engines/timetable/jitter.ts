import { createHash } from 'node:crypto'

/**
 * How much later than its due time something is done, so that not all of it is done at once: from 0 up to, not
 * including, the given seconds. Every replica comes to the same answer, also after a restart.
 */
export function jitterMs(seed: string, atMs: number, jitterSeconds: number): number {
  const bits = createHash('sha256').update(`${atMs} ${seed}`).digest().readUIntBE(0, 6)
  return Math.floor((bits / 2 ** 48) * jitterSeconds * 1000)
}
