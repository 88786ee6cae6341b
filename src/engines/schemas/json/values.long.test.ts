import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixSeed } from '../../../../test/support/fixed-seed.ts'
import { tries } from '../../../../test/support/thorough.ts'
import { checkExamples, checkFaults, checkShapes, checkWild } from './testing/promises.ts'

fixSeed()

test('many examples fit, by a validator that is given the schema as it was written', () =>
  checkExamples(tries(1250, 5000)))
test('many values have faults where a validator of their draft refuses them', () => checkFaults(tries(750, 3000)))
test('what many schemas make of their own shapes accepts their examples', () => checkShapes(tries(1000, 4000)))
test('with any keywords beside each other, the answers are right or there is a fault, and mostly answers', () => {
  assert.ok(checkWild(tries(1000, 4000)) > 0.8)
})
