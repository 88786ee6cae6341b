import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkPair, pathsOf } from './testing/soundness.ts'

test('what is said not to break does not: values of the one schema are taken by the other', () => {
  let tried = 0
  const property = fc.property(fc.noBias(fc.nat()), (seed) => {
    tried += checkPair(seed, 30)?.tried ?? 0
  })
  fc.assert(property, { numRuns: 150, seed: 1 })
  assert.ok(tried > 1000)
})

test('a schema does not differ from itself, and changes have the same places in both directions', () => {
  let [same, all] = [0, 0]
  const property = fc.property(fc.noBias(fc.nat()), (seed) => {
    const paths = pathsOf(seed)
    if (paths === undefined) return
    assert.deepEqual(paths.itself, [])
    all++
    if (paths.forth.join() === paths.back.join()) same++
  })
  fc.assert(property, { numRuns: 150, seed: 1 })
  // Alternatives within alternatives can be paired in more than one way.
  assert.ok(same / all > 0.96, `${same} of ${all}`)
})
