import fc from 'fast-check'

/** Numbers from 0 to 1, the same ones for the same seed. */
export function randomNumbers(seed: number): () => number {
  const parts = 1_000_000
  const numbers = fc.sample(fc.noBias(fc.nat(parts - 1)), { seed, numRuns: 10_000 })
  let next = 0
  return () => (numbers[next++ % numbers.length] as number) / parts
}
