import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { compareAsJson, jsonEqual } from './json-equal.ts'

const NAMES = ['valueOf', 'toString', 'constructor', 'hasOwnProperty', 'length', 'a']
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, 0, -0, 1, '', 'a'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3, noNullPrototype: true })
  )
})).value

describe('values of JSON', () => {
  it('are equal as they would be for Node, whatever their fields are called', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        assert.equal(jsonEqual(a, structuredClone(a)), true)
        // 0 and -0 are the same number in JSON.
        assert.equal(jsonEqual(a, b), isDeepStrictEqual(positive(a), positive(b)))
      }),
      { numRuns: 2000 }
    )
  })

  it('are compared so by validators', () => {
    compareAsJson()
    const require = createRequire(import.meta.url)
    for (const path of ['ajv', 'ajv/dist/2019.js', 'ajv/dist/2020.js', 'ajv-draft-04']) {
      const { default: Ajv } = require(path)
      const validate = new Ajv({ strict: false }).compile({
        uniqueItems: true,
        contains: { enum: [{ constructor: [1] }] }
      })
      assert.equal(validate([{ valueOf: '' }, { toString: 1 }, { constructor: [1] }]), true, path)
      assert.equal(validate([{ valueOf: '' }, { valueOf: '' }]), false, path)
    }
  })
})

const positive = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
