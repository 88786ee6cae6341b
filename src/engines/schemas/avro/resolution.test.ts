import { test } from 'node:test'
import { checkSwapped, checkValues, checkVerdicts } from './testing/properties.ts'

test('Data can be read exactly when avsc reads them', () => checkVerdicts(250))
test('Data that can be read give values of the schema they are read with', () => checkValues(150))
test('The same changes are found in the same places with the sides swapped', () => checkSwapped(200))
