import { test } from 'node:test'
import { fixSeed } from '../../../../test/support/fixed-seed.ts'
import { tries } from '../../../../test/support/thorough.ts'
import { checkExamples, checkRoundTrips, checkSwapped, checkValues, checkVerdicts } from './testing/properties.ts'

fixSeed()

test('Data can be read exactly when avsc reads them', () => checkVerdicts(tries(10_000, 40_000)))
test('Data that can be read give values of the schema they are read with', () => checkValues(tries(5_000, 20_000)))
test('The same changes are found in the same places with the sides swapped', () => checkSwapped(tries(10_000, 40_000)))
test('Shapes come back as schemas that read and are read', () => checkRoundTrips(tries(5_000, 20_000)))
test('Examples and whatever else avsc takes are values', () => checkExamples(tries(5_000, 20_000)))
