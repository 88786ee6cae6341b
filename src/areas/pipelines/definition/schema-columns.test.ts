import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sourceTypeFaults } from '../records/column-types.ts'
import { columnsOfSchema } from './schema-columns.ts'

describe('columnsOfSchema', () => {
  const CASES: [about: string, property: unknown, type: string | undefined][] = [
    ['a number', { type: 'number' }, 'DOUBLE'],
    ['a whole number', { type: 'integer' }, 'BIGINT'],
    ['either kind of number', { type: ['integer', 'number'] }, 'DOUBLE'],
    ['a text', { type: 'string' }, 'VARCHAR'],
    ['a time', { type: 'string', format: 'date-time' }, 'TIMESTAMPTZ'],
    ['a day', { type: 'string', format: 'date' }, 'DATE'],
    ['a text of another format', { type: 'string', format: 'uuid' }, 'VARCHAR'],
    ['true or false', { type: 'boolean' }, 'BOOLEAN'],
    ['an object', { type: 'object', properties: { a: { type: 'number' } } }, 'JSON'],
    ['a list', { type: 'array', items: { type: 'number' } }, 'JSON'],
    ['several types', { type: ['string', 'number'] }, 'JSON'],
    ['anything', {}, 'JSON'],
    ['anything, in short', true, 'JSON'],
    ['nothing but null', { type: 'null' }, 'JSON'],
    ['what must not be there', false, undefined],
    ['a number or null', { type: ['number', 'null'] }, 'DOUBLE'],
    ['a time or null', { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, 'TIMESTAMPTZ'],
    ['a time or another text', { oneOf: [{ type: 'string', format: 'date-time' }, { type: 'string' }] }, 'VARCHAR'],
    ['a day or a time', { anyOf: [{ type: 'string', format: 'date' }, { format: 'date-time' }] }, 'JSON'],
    ['texts that are listed', { enum: ['a', 'b', null] }, 'VARCHAR'],
    ['one number', { const: 7 }, 'BIGINT'],
    ['all of several', { allOf: [{ minimum: 1 }, { type: 'number' }] }, 'DOUBLE'],
    ['all of a number and a whole one', { allOf: [{ type: 'integer' }, { type: 'number' }] }, 'BIGINT'],
    ['what it refers to', { $ref: '#/$defs/celsius~1wide' }, 'DOUBLE'],
    ['itself', { $ref: '#' }, 'JSON'],
    ['a circle', { $ref: '#/$defs/circle' }, 'JSON'],
    ['nothing that is there', { $ref: '#/$defs/none' }, 'JSON']
  ]
  const $defs = { 'celsius/wide': { type: 'number' }, circle: { $ref: '#/$defs/circle' } }

  for (const [about, property, type] of CASES) {
    it(`finds ${type ?? 'no column'} for ${about}`, () => {
      const columns = columnsOfSchema({ $defs, type: 'object', properties: { a: property } })
      assert.deepEqual(columns, type === undefined ? {} : { a: type })
    })
  }

  it('takes properties that the root has by reference and by allOf', () => {
    const reading = { allOf: [{ properties: { b: { type: 'string' } } }], properties: { a: { type: 'boolean' } } }
    assert.deepEqual(columnsOfSchema({ $ref: '#/definitions/R', definitions: { R: reading } }), {
      a: 'BOOLEAN',
      b: 'VARCHAR'
    })
  })

  it('has one column for names that are the same in SQL', () => {
    assert.deepEqual(columnsOfSchema({ properties: { temp: { type: 'number' }, Temp: { type: 'string' } } }), {
      temp: 'DOUBLE'
    })
  })

  it('ends soon where a schema refers to itself many times', () => {
    const many = Array.from({ length: 8 }, () => ({ $ref: '#/properties/a' }))
    assert.deepEqual(columnsOfSchema({ properties: { a: { allOf: many, anyOf: many } } }), { a: 'JSON' })
    assert.deepEqual(columnsOfSchema({ allOf: Array.from({ length: 8 }, () => ({ $ref: '#' })) }), {})
  })

  it('makes something of any object', () => {
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom('properties', 'type', 'anyOf', 'allOf', '$ref', 'a'),
          values: [fc.constant('#/%zz')]
        }),
        (schema) => {
          for (const type of Object.values(columnsOfSchema(schema))) assert.match(type, /^[A-Z]+$/)
        }
      )
    )
  })
})

describe('sourceTypeFaults', () => {
  const pointers = (config: object) => sourceTypeFaults(config).map(({ pointer }) => pointer)

  it('lets nothing, columns or a schema through', () => {
    for (const config of [{}, { columns: { a: 'DOUBLE' } }, { schemaId: 'sch_1' }, { schemaId: 'sch_1', version: 2 }]) {
      assert.deepEqual(pointers(config), [])
    }
  })

  it('refuses both, a version of nothing, and names that are the same in SQL', () => {
    assert.deepEqual(pointers({ columns: { a: 'DOUBLE' }, schemaId: 'sch_1' }), ['/schemaId'])
    assert.deepEqual(pointers({ columns: { a: 'DOUBLE' }, version: 1 }), ['/version'])
    assert.deepEqual(pointers({ columns: { a: 'DOUBLE', A: 'JSON' } }), ['/columns'])
  })
})
