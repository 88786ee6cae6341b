/** Numbers from 0 up to, not including, 1. */
export type Random = () => number

/** Numbers that look random and are the same for the same seed (mulberry32): examples can be asked for again. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of several values, of which there is at least one. */
export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T
}

/** A whole number, both ends included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}
