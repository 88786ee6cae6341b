import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Effort } from '../fault.ts'
import type { Shape } from '../format.ts'
import * as avro from './index.ts'
import { modelOf, STEPS } from './testing/compatibility.ts'
import { checkExamples, checkRoundTrips, shapeOf } from './testing/properties.ts'

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

function schemaOf(shape: Shape) {
  const { result, lost } = avro.fromShape(shape)
  return { schema: JSON.parse(result), lost: lost.map(({ path, message }) => `${path}: ${message}`) }
}

describe('Shapes of Avro schemas', () => {
  test('What comes back is read both ways, apart from what is said to be lost', () => checkRoundTrips(150))

  test('A record says what its fields are', () => {
    const { result, lost } = shapeOf({
      type: 'record',
      name: 'shop.Order',
      doc: 'An order',
      fields: [
        { name: 'id', type: { type: 'string', logicalType: 'uuid' } },
        { name: 'note', type: ['null', 'string'], default: null, doc: 'Free text' },
        { name: 'total', type: { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 } },
        { name: 'at', type: { type: 'long', logicalType: 'timestamp-micros' } },
        { name: 'parent', type: ['null', 'Order'] }
      ]
    })
    assert.deepEqual(lost, [])
    assert.deepEqual(result, {
      kind: 'record',
      name: 'shop.Order',
      doc: 'An order',
      fields: [
        { name: 'id', shape: { kind: 'string', format: 'uuid' }, optional: false },
        {
          name: 'note',
          doc: 'Free text',
          shape: { kind: 'union', options: [{ kind: 'null' }, { kind: 'string' }] },
          optional: true,
          default: null
        },
        { name: 'total', shape: { kind: 'decimal', precision: 10, scale: 2 }, optional: false },
        { name: 'at', shape: { kind: 'string', format: 'date-time' }, optional: false },
        {
          name: 'parent',
          shape: { kind: 'union', options: [{ kind: 'null' }, { kind: 'recursion', name: 'shop.Order' }] },
          optional: false
        }
      ]
    })
  })

  test('What has no place in a shape is said', () => {
    const fields = [
      { name: 'a', type: { type: 'fixed', name: 'F', size: 2 }, default: 'ab' },
      { name: 'b', type: { type: 'int', logicalType: 'time-millis' }, aliases: ['c'], order: 'ignore', unit: 's' }
    ]
    const { lost } = shapeOf({ type: 'record', name: 'R', aliases: ['S'], fields })
    assert.deepEqual(
      lost.map(({ path, message }) => `${path}: ${message}`),
      [
        ': Not kept: the aliases of R.',
        '/fields/a/type: Not kept: the name F of the fixed type.',
        "/fields/a: Not kept: the default of a, which is bytes or a time written in Avro's own way.",
        '/fields/b: Not kept: the aliases of the field b.',
        '/fields/b: Not kept: the sort order of the field b.',
        '/fields/b: Not kept: the properties unit.',
        '/fields/b/type: Not kept: the unit or zone of time-millis.'
      ]
    )
  })
})

describe('Avro schemas of shapes', () => {
  test('Names become valid, and what became of them is said', () => {
    const { schema, lost } = schemaOf({
      kind: 'record',
      name: 'my-shop.Order',
      fields: [
        { name: 'first name', shape: { kind: 'string' }, optional: false },
        { name: 'first-name', shape: { kind: 'string' }, optional: false },
        { name: 'kind', shape: { kind: 'enum', values: ['1', 'a b', 'a_b'] }, optional: false }
      ]
    })
    assert.equal(schema.name, 'my_shop.Order')
    assert.deepEqual(
      schema.fields.map(({ name }: { name: string }) => name),
      ['first_name', 'first_name_2', 'kind']
    )
    assert.deepEqual(schema.fields[2].type, { type: 'enum', name: 'my_shop.Kind', symbols: ['_1', 'a_b', 'a_b_2'] })
    assert.equal(lost.length, 6)
    assert.ok(lost.includes('/fields/kind/type: The symbol "a_b" became a_b_2.'), lost.join('\n'))
  })

  test('What a value may lack is null by default', () => {
    const field = (shape: Shape, value?: unknown) => ({
      name: 'a',
      shape,
      optional: true,
      ...(value !== undefined && { default: value })
    })
    const fieldOf = (shape: Shape, value?: unknown) =>
      schemaOf({ kind: 'record', name: 'R', fields: [field(shape, value)] }).schema.fields[0]
    assert.deepEqual(fieldOf({ kind: 'boolean' }), { name: 'a', type: ['null', 'boolean'], default: null })
    assert.deepEqual(fieldOf({ kind: 'boolean' }, true), { name: 'a', type: 'boolean', default: true })
    assert.deepEqual(fieldOf({ kind: 'boolean' }, 'yes'), { name: 'a', type: ['null', 'boolean'], default: null })
    const nullable: Shape = { kind: 'union', options: [{ kind: 'string' }, { kind: 'null' }] }
    assert.deepEqual(fieldOf(nullable), { name: 'a', type: ['null', 'string'], default: null })
    assert.deepEqual(fieldOf(nullable, 'x'), { name: 'a', type: ['string', 'null'], default: 'x' })
  })

  test('What Avro has no type for is said', () => {
    const lossOf = (shape: Shape) => schemaOf(shape).lost.join()
    assert.match(lossOf({ kind: 'any' }), /any value/)
    assert.match(lossOf({ kind: 'integer', bits: 64, signed: false }), /unsigned/)
    assert.match(lossOf({ kind: 'string', format: 'email' }), /email/)
    assert.match(lossOf({ kind: 'record', fields: [], open: true }), /further fields/)
    assert.match(lossOf({ kind: 'recursion', name: 'X' }), /no record X/)
    const lists: Shape[] = [
      { kind: 'list', items: { kind: 'null' } },
      { kind: 'list', items: { kind: 'boolean' } }
    ]
    assert.match(lossOf({ kind: 'union', options: lists }), /one array only/)
    assert.equal(lossOf({ kind: 'integer', bits: 32, signed: false }), '')
  })

  test('A record that comes up twice is defined once', () => {
    const point: Shape = {
      kind: 'record',
      name: 'Point',
      fields: [{ name: 'x', shape: { kind: 'null' }, optional: false }]
    }
    const other: Shape = { kind: 'record', name: 'Point', fields: [] }
    const fields = [point, point, other].map((shape, index) => ({ name: `f${index}`, shape, optional: false }))
    const { schema, lost } = schemaOf({ kind: 'record', name: 'R', fields })
    assert.equal(schema.fields[1].type, 'Point')
    assert.equal(schema.fields[2].type.name, 'Point_2')
    assert.deepEqual(lost, ['/fields/f2/type: The name "Point" became Point_2.'])
  })

  test('Records that hold each other come back as two', () => {
    const inner = { type: 'record', name: 'B', fields: [{ name: 'a', type: ['null', 'A'] }] }
    const outer = { type: 'record', name: 'A', fields: [{ name: 'b', type: inner }] }
    const fields = [
      { name: 'a', type: outer },
      { name: 'b', type: 'B' }
    ]
    const schema = { type: 'record', name: 'R', fields }
    assert.deepEqual(schemaOf(shapeOf(schema).result), { schema, lost: [] })
  })

  test('A default of bytes is not taken for what it would be in Avro', () => {
    const fields = [{ name: 'a', shape: { kind: 'bytes' }, optional: true, default: 'AAAA' }] as const
    const { schema, lost } = schemaOf({ kind: 'record', name: 'R', fields })
    assert.deepEqual(schema.fields[0], { name: 'a', type: ['null', 'bytes'], default: null })
    assert.equal(lost.length, 1)
  })

  test('A shape that is nested without end is refused', () => {
    let shape: Shape = { kind: 'null' }
    for (let depth = 0; depth < 50_000; depth++) shape = { kind: 'list', items: shape }
    assert.throws(() => avro.fromShape(shape), { kind: 'too_complex' })
  })
})
