import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { readTagName, tagNameOf } from './tag-name.ts'

const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'\\.{},=', 'value', '__proto__'),
      fc.string({ unit: ANY_CHARACTER, maxLength: 1 })
    ),
    minLength: 1,
    maxLength: 8
  })
  .filter((each) => each !== '')
const labels = fc.dictionary(fc.oneof(text, fc.constant('__proto__')), text, { maxKeys: 4, noNullPrototype: false })

test('a name is read back as the parts it was made of', () => {
  fc.assert(
    fc.property(text, labels, fc.oneof(text, fc.constant('value')), (measurement, given, field) => {
      const read = readTagName(tagNameOf(measurement, given, field))
      assert.equal(read.measurement, measurement)
      assert.equal(read.field, field)
      assert.deepEqual(new Map(Object.entries(read.labels)), new Map(Object.entries(given)))
    }),
    { numRuns: 2000 }
  )
})

test('names look the way they are documented', () => {
  assert.equal(tagNameOf('cpu', { host: 'h1', core: '0' }, 'usage'), 'cpu.usage{core=0,host=h1}')
  assert.equal(tagNameOf('temperature', {}, 'value'), 'temperature')
  assert.equal(tagNameOf('temperature', { room: 'a' }, 'value'), 'temperature{room=a}')
  assert.equal(tagNameOf('plant.temperature', {}, 'value'), 'plant.temperature.value')
  assert.equal(tagNameOf('a\\b{', { 'k,': '=v}' }, 'x.y'), 'a\\\\b\\{.x\\.y{k\\,=\\=v\\}}')
})

test('the order in which labels are given makes no other name, and it is that of bytes', () => {
  assert.equal(
    tagNameOf('m', { '\u{1F600}': '1', '\uFF5E': '2' }, 'f'),
    tagNameOf('m', { '\uFF5E': '2', '\u{1F600}': '1' }, 'f')
  )
  assert.equal(tagNameOf('m', { '\u{1F600}': '1', '\uFF5E': '2' }, 'f'), 'm.f{\uFF5E=2,\u{1F600}=1}')
})

test('any other name is a measurement with one field', () => {
  for (const name of ['Line 1{', 'a{b}', 'a{b=c}d', 'a{b=c', 'a{}']) {
    assert.deepEqual({ ...readTagName(name), labels: {} }, { measurement: name, labels: {}, field: 'value' })
  }
})
