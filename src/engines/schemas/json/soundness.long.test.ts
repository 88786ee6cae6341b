import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fixSeed } from '../../../../test/support/fixed-seed.ts'
import { tries } from '../../../../test/support/thorough.ts'
import { checkPair } from './testing/soundness.ts'

fixSeed()

test('what is said not to break does not, for many thousands of pairs', { timeout: 1_800_000 }, () => {
  let tried = 0
  const property = fc.property(fc.noBias(fc.nat()), (seed) => {
    tried += checkPair(seed, 60)?.tried ?? 0
  })
  fc.assert(property, { numRuns: tries(20_000, 60_000) })
  assert.ok(tried > tries(30_000, 100_000))
})
