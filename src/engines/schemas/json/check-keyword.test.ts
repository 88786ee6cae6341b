import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import { formOf } from './keywords.ts'
import { DRAFTS } from './model.ts'
import { parse } from './parse.ts'
import { isSchemaByAjv } from './testing/compile.ts'
import { ADDRESSES } from './testing/soundness.ts'

const KEYWORDS = (
  '$comment $anchor $defs $recursiveAnchor additionalItems additionalProperties allOf const contains contentEncoding ' +
  'contentSchema default definitions dependencies dependentRequired dependentSchemas deprecated description else examples ' +
  'exclusiveMaximum format if items maxContains maxItems maximum minLength multipleOf not oneOf pattern patternProperties ' +
  'prefixItems properties propertyNames readOnly required then title type unevaluatedItems uniqueItems'
).split(' ')

const leaf = fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 'a', 'string', 'integer', 'a b')
const value = fc.oneof(
  leaf,
  fc.array(fc.constantFrom<unknown>('a', 'b', 'string', 'null', 1, {}, true, null), { maxLength: 2 }),
  fc.constantFrom<unknown>({}, { a: {} }, { a: 1 }, { a: true }, { a: ['b'] }, { type: 'string' }, { type: 1 })
)

test('keywords are right exactly when the schema of schemas says so', () => {
  const property = fc.property(
    fc.constantFrom(...DRAFTS),
    fc.constantFrom(...KEYWORDS),
    value,
    (draft, keyword, given) => {
      // Others take these as well, so that schemas which are in use everywhere can be registered.
      const isLenient =
        (draft === 'draft-04' && (formOf(keyword, draft) === undefined || isOldRefusal(keyword, given))) ||
        (keyword === '$recursiveAnchor' && draft === '2020-12') ||
        (keyword === 'items' && Array.isArray(given) && given.length === 0)
      if (isLenient) return
      const schema = {
        $schema: ADDRESSES[draft],
        [keyword]: given,
        ...(keyword === 'exclusiveMaximum' && { maximum: 1 })
      }
      assert.equal(isTaken(schema), isSchemaByAjv(schema, draft), JSON.stringify(schema))
    }
  )
  fc.assert(property, { numRuns: 800, seed: 1 })
})

/** Draft 04 asks for lists with something in them, knows true and false in few places, and says nothing of formats. */
function isOldRefusal(keyword: string, given: unknown): boolean {
  const text = JSON.stringify(given)
  return ['required', 'dependencies', 'items', 'format'].includes(keyword) || text.includes('true') || text === 'false'
}

function isTaken(schema: object): boolean {
  try {
    return parse({ text: JSON.stringify(schema), dependencies: [] }, new Effort(10_000)) !== undefined
  } catch (error) {
    assert.ok(error instanceof SchemaFault)
    return false
  }
}
