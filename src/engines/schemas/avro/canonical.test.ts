import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Effort } from '../effort.ts'
import { avro } from './index.ts'
import { parsed, STEPS } from './testing/compatibility.ts'
import { schemas } from './testing/pairs.ts'

const parse = (text: string, dependencies: { name: string; text: string }[] = []) =>
  avro.parse({ text, dependencies }, new Effort(STEPS))
const record = (...fields: unknown[]) => ({ type: 'record', name: 'R', fields })
const field = (type: unknown, value: unknown) => record({ name: 'a', type, default: value })

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
