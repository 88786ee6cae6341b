import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Effort, SchemaFault } from '../fault.ts'
import * as avro from './index.ts'
import { parsed, STEPS } from './testing/compatibility.ts'
import { schemas } from './testing/pairs.ts'

const parse = (text: string, dependencies: { name: string; text: string }[] = []) =>
  avro.parse({ text, dependencies }, new Effort(STEPS))
const faultOf = (text: string, dependencies: { name: string; text: string }[] = []): SchemaFault => {
  try {
    parse(text, dependencies)
  } catch (error) {
    assert.ok(error instanceof SchemaFault, String(error))
    return error
  }
  throw new Error(`no fault in ${text}`)
}
const record = (...fields: unknown[]) => ({ type: 'record', name: 'R', fields })
const field = (type: unknown, value: unknown) => record({ name: 'a', type, default: value })

/** What is no schema, where that is seen, and a word of what is said. */
const INVALID: readonly (readonly [schema: unknown, pointer: string, word: RegExp])[] = [
  [42, '', /must be a name, an object or an array/],
  [{ type: 'record', fields: [] }, '', /needs a "name"/],
  [{ type: 'record', name: 'R' }, '', /needs "fields"/],
  [{ type: 'record', name: '1R', fields: [] }, '/name', /"1R" is not valid/],
  [{ type: 'record', name: 'a€', fields: [] }, '/name', /not valid/],
  [{ type: 'record', name: 'R', namespace: 'a b', fields: [] }, '/namespace', /namespace "a b" is not valid/],
  [{ type: 'record', name: 'int', fields: [] }, '', /type of Avro itself/],
  [record({ name: 'a' }), '/fields/0', /needs a "type"/],
  [record({ type: 'int' }), '/fields/0', /needs a "name"/],
  [record({ name: 'a-b', type: 'int' }), '/fields/0/name', /"a-b" is not valid/],
  [record({ name: 'a', type: 'int' }, { name: 'a', type: 'int' }), '/fields/1', /there twice/],
  [record({ name: 'a', type: 'int', order: 'up' }), '/fields/0/order', /ascending, descending or ignore/],
  [record({ name: 'a', type: 'int', aliases: 'b' }), '/fields/0/aliases', /array of strings/],
  [record({ name: 'a', type: record() }), '/fields/0/type', /"R" is defined twice/],
  [record('a'), '/fields/0', /must be an object/],
  [{ type: 'enum', name: 'E' }, '', /needs "symbols"/],
  [{ type: 'enum', name: 'E', symbols: ['A', 'A'] }, '/symbols/1', /there twice/],
  [{ type: 'enum', name: 'E', symbols: ['A-'] }, '/symbols/0', /not valid/],
  [{ type: 'enum', name: 'E', symbols: ['A'], default: 'B' }, '/default', /none of the symbols/],
  [{ type: 'fixed', name: 'F' }, '', /needs "size"/],
  [{ type: 'fixed', name: 'F', size: -1 }, '/size', /0 or more/],
  [{ type: 'fixed', name: 'F', size: 1.5 }, '/size', /whole number/],
  [{ type: 'array' }, '', /needs "items"/],
  [{ type: 'map' }, '', /needs "values"/],
  [{ items: 'int' }, '', /"type" is missing/],
  [{ type: { type: 'int' } }, '', /must be the name/],
  [['int', ['string']], '/1', /must not hold a union/],
  [['int', 'int'], '/1', /twice in the union/],
  [['int', { type: 'int', logicalType: 'date' }], '/1', /twice in the union/],
  [
    [
      { type: 'array', items: 'int' },
      { type: 'array', items: 'string' }
    ],
    '/1',
    /twice in the union/
  ],
  [field('int', 'x'), '/fields/0/default', /is no int/],
  [field('int', 2 ** 31), '/fields/0/default', /is no int/],
  [field('int', 1.5), '/fields/0/default', /is no int/],
  [field('string', null), '/fields/0/default', /is no string/],
  [field(['null', 'int'], 'x'), '/fields/0/default', /no type of its union/],
  [field({ type: 'array', items: 'int' }, ['x']), '/fields/0/default', /is no array/],
  [field({ type: 'enum', name: 'E', symbols: ['A'] }, 'B'), '/fields/0/default', /is no "E"/],
  [field({ type: 'fixed', name: 'F', size: 2 }, 'a'), '/fields/0/default', /is no "F"/],
  [field('bytes', '€'), '/fields/0/default', /is no bytes/],
  [field({ type: 'record', name: 'S', fields: [{ name: 'b', type: 'int' }] }, {}), '/fields/0/default', /is no "S"/]
]

/** Defaults and names that are right, though some look odd. */
const VALID: readonly unknown[] = [
  field(['null', 'int'], 1),
  field(['int', 'null'], null),
  field('double', 'NaN'),
  field('float', '1.5'),
  field('bytes', 'ÿ\u0000'),
  field({ type: 'map', values: 'int' }, { ['__proto__']: 1 }),
  field({ type: 'record', name: 'S', fields: [{ name: 'b', type: 'int', default: 1 }] }, {}),
  { type: 'record', name: 'a.int', fields: [] },
  { type: 'record', name: '__proto__', fields: [{ name: '__proto__', type: ['null', '__proto__'] }] },
  { type: 'bytes', logicalType: 'decimal', precision: -1 },
  { type: 'fixed', name: 'F', size: 0 },
  { type: 'error', name: 'E', fields: [] },
  [],
  [
    { type: 'enum', name: 'A', symbols: ['X'] },
    { type: 'array', items: 'A' }
  ]
]

describe('Avro schemas are read', () => {
  for (const [schema, pointer, word] of INVALID) {
    test(`Not ${JSON.stringify(schema)}`, () => {
      const fault = faultOf(JSON.stringify(schema))
      assert.equal(fault.kind, 'invalid')
      assert.equal(fault.place.pointer, pointer)
      assert.match(fault.message, word)
    })
  }

  for (const schema of VALID) test(JSON.stringify(schema), () => assert.ok(parsed(schema)))

  test('A syntax error is said with its line and column', () => {
    const places = [
      '{"type": "int",\n  }',
      '{\n"type" "int"}',
      '"int" x',
      '"in\nt"',
      '',
      '["int" "long"]',
      'nul',
      '"\\x"',
      '"a'
    ]
    const found = places.map((text) => {
      const { kind, place } = faultOf(text)
      assert.equal(kind, 'invalid')
      return `${place.line}:${place.column}`
    })
    assert.deepEqual(found, ['2:3', '2:8', '1:7', '1:4', '1:1', '1:8', '1:1', '1:3', '1:3'])
  })

  test('Names are found in the namespace around them, and elsewhere by their full name', () => {
    const inner = { type: 'fixed', name: 'F', size: 1 }
    const names = record({ name: 'a', type: inner }, { name: 'b', type: 'F' }, { name: 'c', type: 'x.F' })
    assert.ok(parsed({ ...names, namespace: 'x' }))
    const outside = { type: 'record', name: 'x.S', fields: [{ name: 'a', type: 'F' }] }
    assert.ok(parsed([inner, outside]), 'a name without namespace is found from within one')
    const elsewhere = faultOf(
      JSON.stringify(record({ name: 'a', type: { ...inner, namespace: 'y' } }, { name: 'b', type: 'F' }))
    )
    assert.equal(elsewhere.kind, 'missing_reference')
    assert.match(elsewhere.message, /"F"/)
    assert.equal(elsewhere.place.pointer, '/fields/1/type')
  })

  test('Types of references are known by their full names, and faults in them say where', () => {
    const address = { name: 'address', text: '{"type":"record","name":"x.Address","fields":[]}' }
    const order = '{"type":"record","name":"x.Order","fields":[{"name":"to","type":"Address"}]}'
    assert.equal(
      parse(order, [address]).canonical,
      '{"type":"record","name":"x.Order","fields":[{"name":"to","type":"x.Address"}]}'
    )
    assert.equal(faultOf(order).kind, 'missing_reference')
    assert.match(faultOf(order).message, /"x\.Address"/)
    assert.deepEqual(faultOf(order, [{ name: 'address', text: '{' }]).place, {
      line: 1,
      column: 2,
      dependency: 'address'
    })
    assert.match(faultOf(address.text, [address]).message, /defined twice/)
  })

  test('What is too much is refused as that', () => {
    const chain = Array.from({ length: 4000 }, (_, index) => {
      const type = index === 0 ? 'int' : `A${index - 1}`
      return { type: 'record', name: `A${index}`, fields: [{ name: 'f', type }] }
    })
    const dependencies = [{ name: 'chain', text: JSON.stringify(chain) }]
    const last = () => parse('"A3999"', dependencies).model
    const model = last()
    // The same chain is fine where it is walked from its short end.
    assert.deepEqual(avro.differences(parsed(chain).model, parsed(chain).model, new Effort(STEPS)), [])
    for (const ask of [
      () => parse('['.repeat(100_000)),
      () => parse(`${'{"type":"array","items":'.repeat(300)}"int"${'}'.repeat(300)}`),
      () => parse(' '.repeat(1024 * 1024 + 1)),
      () => parse(JSON.stringify(field('R', {}))),
      () => avro.parse({ text: JSON.stringify(chain), dependencies: [] }, new Effort(1000)),
      () => avro.differences(model, last(), new Effort(STEPS)),
      () => avro.toShape(model, new Effort(STEPS)),
      () => avro.example(model, () => 0.999, new Effort(STEPS))
    ]) {
      assert.throws(ask, { kind: 'too_complex' })
    }
  })

  test('Whatever the text, it is a schema or a fault', () => {
    const pieces = fc.constantFrom(
      ...'{}[],:"\\ \n-0e.',
      '"type"',
      '"name"',
      '"fields"',
      '"record"',
      '"a"',
      'null',
      '1e999',
      '\u0000'
    )
    const anyText = fc.oneof(
      fc.array(pieces).map((all) => all.join('')),
      fc.json()
    )
    const keys = [
      'type',
      'name',
      'fields',
      'symbols',
      'items',
      'size',
      'default',
      '__proto__',
      'aliases',
      'logicalType'
    ]
    const values = ['record', 'enum', 'fixed', 'array', 'map', 'int', 'A', '', 'decimal']
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(...values, null, 1, -1.5, true),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('json'), { maxKeys: 6 })
      )
    }))
    const check = (text: string) => {
      try {
        parse(text)
      } catch (error) {
        assert.ok(error instanceof SchemaFault, String(error))
      }
    }
    fc.assert(fc.property(anyText, check), { numRuns: 300 })
    fc.assert(
      fc.property(json, (value) => check(JSON.stringify(value))),
      { numRuns: 300 }
    )
  })
})

describe('The canonical text of an Avro schema', () => {
  test('It is a schema of which it is the canonical text, and has nothing of how a schema was written', () => {
    const property = fc.property(schemas, ({ schema, choices }) => {
      const { canonical, model } = parsed(schema)
      const again = parse(canonical)
      assert.equal(again.canonical, canonical)
      assert.deepEqual(avro.differences(model, again.model, new Effort(STEPS)), [])
      const turned = turnedAround(schema, choices.once(2))
      assert.equal(parse(JSON.stringify(turned, null, 2)).canonical, canonical)
    })
    fc.assert(property, { numRuns: 100 })
  })

  test('Spellings that mean the same are the same', () => {
    const same = (one: unknown, other: unknown) => assert.equal(parsed(one).canonical, parsed(other).canonical)
    same({ type: 'int' }, 'int')
    same(
      { type: 'record', name: 'a.R', fields: [] },
      { type: 'record', name: 'R', namespace: 'a', fields: [], aliases: [] }
    )
    same({ ...record(), aliases: ['x', 'n.y'] }, { ...record(), aliases: ['n.y', 'x', 'x'] })
    same(field('double', '1.5'), field('double', 1.5))
    same(record({ name: 'a', type: 'int', order: 'ASCENDING' }), record({ name: 'a', type: 'int' }))
  })

  test('Whatever has a meaning to somebody makes a difference', () => {
    const different = (one: unknown, other: unknown) => assert.notEqual(parsed(one).canonical, parsed(other).canonical)
    different(record(), { ...record(), doc: '' })
    different(record(), { ...record(), aliases: ['S'] })
    different('int', { type: 'int', logicalType: 'date' })
    different('int', { type: 'int', unit: 's' })
    different(field('int', 1), field('int', 2))
    different(field('int', 1), record({ name: 'a', type: 'int' }))
    different(['int', 'null'], ['null', 'int'])
    const long = (digits: string) =>
      parse(`{"type":"record","name":"R","fields":[{"name":"a","type":"long","default":${digits}}]}`)
    assert.notEqual(long('9007199254740993').canonical, long('9007199254740992').canonical)
  })
})

/** The same with the keys of its objects in another order. */
function turnedAround(json: unknown, isDeep: boolean): unknown {
  if (Array.isArray(json)) return json.map((one) => turnedAround(one, isDeep))
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json).map(([key, value]) => [key, isDeep ? turnedAround(value, isDeep) : value])
  return Object.fromEntries(entries.toReversed())
}
