import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RULES } from './rules.ts'
import { DIFFERENCE_ROWS } from './testing/difference-rows.ts'
import { compare, found } from './testing/soundness.ts'

const object = { type: 'object' }

const recursive = (kind: number, others: object[]) => ({
  ...object,
  properties: { x: { anyOf: [{ $ref: '#/definitions/a' }, ...others] }, y: { $ref: '#/definitions/q' } },
  definitions: {
    a: { ...object, properties: { q: { $ref: '#/definitions/q' }, k: { const: kind } } },
    q: { ...object, properties: { back: { $ref: '#/definitions/a' } } }
  }
})

test('what rests on a schema being the same is forgotten when it is not', () => {
  const codes = found(recursive(1, [{ type: 'string' }]), recursive(2, [{ title: 'anything' }, { type: 'string' }]))
  assert.ok(codes.includes('enum_changed /properties/y/properties/back/properties/k/const'), codes.join())
})

const seen = new Set<string>()

for (const [area, rows] of Object.entries(DIFFERENCE_ROWS)) {
  test(`differences of ${area}, in both directions`, () => {
    for (const [written, read, forth, back] of rows) {
      assert.deepEqual(found(written, read), forth, JSON.stringify([written, read]))
      assert.deepEqual(found(read, written), back, JSON.stringify([read, written]))
      for (const each of [...forth, ...back]) seen.add(`json.${each.split(' ')[0]}`)
    }
  })
}

test('every rule is found by one of them', () => {
  assert.deepEqual(
    Object.values(RULES)
      .map(({ code }) => code)
      .filter((code) => !seen.has(code)),
    []
  )
})

test('what is found is said in one sentence, with names', () => {
  const who = { writer: 'version 1', reader: 'version 2' }
  for (const [written, read] of Object.values(DIFFERENCE_ROWS).flat()) {
    for (const difference of [...compare(written, read), ...compare(read, written)]) {
      const sentence = difference.rule.message(difference, who)
      assert.match(sentence, /^[A-Z"a-z].*\.$/s)
      assert.match(sentence, /version [12]/)
      assert.doesNotMatch(sentence, /undefined|\[object|\. [A-Z]/, difference.rule.code)
    }
  }
  const [longer] = compare({ type: 'string' }, { type: 'string', maxLength: 5 })
  const sentence = 'Strings longer than 5 characters, which version 1 allows, are refused by readers of version 2.'
  assert.equal(longer?.rule.message(longer, who), sentence)
})
