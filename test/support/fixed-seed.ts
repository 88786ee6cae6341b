import { after, before } from 'node:test'
import fc from 'fast-check'

/**
 * Makes the random tests of a file try the same each time, for those that try so many that one in a million comes up: what
 * such a one finds is news about the code of last year, not about the change at hand. `PROPERTY_SEED=<n>` tries others.
 */
export function fixSeed(): void {
  const seed = Number(process.env.PROPERTY_SEED ?? 1)
  before(() => fc.configureGlobal({ seed }))
  after(() => fc.resetConfigureGlobal())
}
