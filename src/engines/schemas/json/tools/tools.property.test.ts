import { test } from 'node:test'
import { checkExamples, checkFaults, checkShapes, checkWild } from './testing/promises.ts'

test('examples fit, by a validator that is given the schema as it was written', () => checkExamples(80))
test('a value has faults where a validator of its draft refuses it', () => checkFaults(60))
test('what a schema makes of its own shape accepts its examples', () => checkShapes(60))
test('with any keywords beside each other, the answers are right or there is a fault', () => void checkWild(60))
