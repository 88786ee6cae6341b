const SEED = 0x9747b28c
const FACTOR = 0x5bd1e995

/**
 * The number that a key is turned into before it is divided by the number of partitions: murmur2 without its sign, as
 * the Java client does it, so that the same key goes to the same partition whoever writes it.
 */
export function keyNumber(key: Uint8Array): number {
  const { length } = key
  const view = new DataView(key.buffer, key.byteOffset, length)
  const whole = length & ~3
  let hash = SEED ^ length
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(view.getInt32(at, true), FACTOR)
    word = Math.imul(word ^ (word >>> 24), FACTOR)
    hash = Math.imul(hash, FACTOR) ^ word
  }
  if (length > whole) {
    for (let at = length - 1; at >= whole; at--) hash ^= view.getUint8(at) << (8 * (at - whole))
    hash = Math.imul(hash, FACTOR)
  }
  hash = Math.imul(hash ^ (hash >>> 13), FACTOR)
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}
