import { after, before } from 'node:test'
import fc from 'fast-check'

/**
 * Makes the random tests of a file try the same cases each time. With very many cases, one in a million comes up now
 * and then, and would be blamed on the change at hand. `PROPERTY_SEED=<n>` tries others.
 */
export function fixSeed(): void {
  const outside = fc.readConfigureGlobal() ?? {}
  before(() => fc.configureGlobal({ ...outside, seed: seed() }))
  after(() => fc.configureGlobal(outside))
}

/** CI judges a change, so that all of its random tests try the same cases each time; everywhere else they try new ones. */
export function fixSeedInCi(): void {
  if (process.env.CI === 'true') fc.configureGlobal({ seed: seed() })
}

const seed = () => Number(process.env.PROPERTY_SEED ?? 1)
