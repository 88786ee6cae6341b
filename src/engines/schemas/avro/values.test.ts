import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Effort } from '../fault.ts'
import { avro } from './index.ts'
import { modelOf, STEPS } from './testing/compatibility.ts'
import { checkExamples } from './testing/properties.ts'

const faultsOf = (schema: unknown, value: unknown) =>
  avro.faultsOf(modelOf(schema), value, new Effort(STEPS)).map(({ pointer, message }) => `${pointer} ${message}`)
const fits = (schema: unknown, value: unknown) => assert.deepEqual(faultsOf(schema, value), [])
const order = {
  type: 'record',
  name: 'x.Order',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'note', type: ['null', 'string'], default: null },
    { name: 'lines', type: { type: 'array', items: { type: 'map', values: 'int' } } }
  ]
}

describe('Values of Avro schemas', () => {
  test('Examples fit, as avsc has it too, and so does whatever else avsc takes', () => checkExamples(150))

  test('A record is right, or each of its faults is said with its place', () => {
    fits(order, { id: 1, note: { string: 'x' }, lines: [{ a: 1 }] })
    fits(order, { id: 1, note: 'x', lines: [] })
    fits(order, { id: 1, lines: [] })
    assert.deepEqual(faultsOf(order, { id: '1', note: 5, lines: [{ 'a/b': 1.5 }], more: 1 }), [
      '/id must be a whole number of at most 64 bits, but is "1"',
      '/note must be a string, but is 5',
      '/lines/0/a~1b must be a whole number from -2147483648 to 2147483647, but is 1.5',
      '/more is no field of x.Order'
    ])
    assert.deepEqual(faultsOf(order, { note: null, lines: [] }), ['/id is missing and has no default'])
    assert.deepEqual(faultsOf(order, []), [' must be an object, as it is a record x.Order, but is an array'])
  })

  test('A value of a union is wrapped, or plain where one type only fits', () => {
    fits(['int', 'long'], { int: 1 })
    fits(['null', 'int', 'string'], 'x')
    fits(['null', order], { 'x.Order': { id: 1, lines: [] } })
    fits(['string', { type: 'map', values: 'string' }], { string: 'x' })
    fits(['string', { type: 'map', values: 'int' }], { string: 1 })
    assert.match(
      faultsOf(['int', 'long'], 1).join(),
      /several types of the union, int, long; wrap it, as in {"int": …}/
    )
    assert.match(faultsOf(['int', 'string'], true).join(), /one of the types int, string/)
    assert.match(faultsOf(['int', 'string'], { int: 'x' }).join(), /^\/int must be a whole number/)
  })

  test('Bytes are strings of characters up to U+00FF', () => {
    fits('bytes', 'ÿ\u0000')
    fits({ type: 'fixed', name: 'F', size: 2 }, 'ab')
    assert.equal(faultsOf('bytes', '€').length, 1)
    assert.equal(faultsOf({ type: 'fixed', name: 'F', size: 2 }, 'abc').length, 1)
  })

  test('Keys that objects have of themselves are no values', () => {
    assert.equal(faultsOf({ type: 'record', name: 'R', fields: [{ name: 'constructor', type: 'int' }] }, {}).length, 1)
    fits({ type: 'map', values: 'int' }, JSON.parse('{"__proto__":1}'))
  })

  test('There are never too many faults', () => {
    const values = Array.from({ length: 10_000 }, () => 'x')
    assert.equal(faultsOf({ type: 'array', items: 'int' }, values).length, 100)
    assert.equal(faultsOf({ type: 'record', name: 'R', fields: [] }, { ...values }).length, 100)
  })

  test('The same numbers make the same example', () => {
    const example = () => JSON.stringify(avro.example(modelOf(order), () => 0.4, new Effort(STEPS)))
    assert.equal(example(), example())
  })

  test('There is no example of what has no values', () => {
    const endless = { type: 'record', name: 'L', fields: [{ name: 'tail', type: 'L' }] }
    for (const schema of [endless, [], { type: 'enum', name: 'E', symbols: [] }]) {
      assert.throws(() => avro.example(modelOf(schema), Math.random, new Effort(STEPS)), { kind: 'unsupported' })
    }
    assert.equal(
      avro.example(modelOf([{ type: 'enum', name: 'E', symbols: [] }, 'null']), () => 0, new Effort(STEPS)),
      null
    )
    const ends = { type: 'record', name: 'L', fields: [{ name: 'tail', type: ['L', 'null'] }] }
    fits(
      ends,
      avro.example(modelOf(ends), () => 0, new Effort(STEPS))
    )
  })
})
