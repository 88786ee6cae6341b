import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JsonRecord } from '../../records/table.ts'
import { rowsOf } from '../../testing/crashing.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'
import { withinTime } from './time-limit.ts'
import { validate } from './validate.ts'
import { compileSchema } from './validate-schema.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const nodes = (schema: object, prefix: string) => [
  { id: 'in', type: 'generate', config: { fields: {} } },
  { id: 'v', type: 'validate', config: { schema }, inputs: ['in'] },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'ndjson' as const }, inputs: ['v'] }
]
const run = (schema: object, prefix: string, records: JsonRecord[]) =>
  workshop.run(nodes(schema, prefix), { batches: { in: [records] } })

describe('validate', () => {
  test('lets records through that fit; the others are dead letters with what is wrong', async () => {
    const schema = {
      type: 'object',
      required: ['id', 'at'],
      properties: {
        id: { type: 'integer', minimum: 1 },
        at: { type: 'string', format: 'date-time' },
        place: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } }
      },
      additionalProperties: false
    }
    const at = '2026-01-01T00:00:00Z'
    const ran = await run(schema, 'v1/', [
      { id: 1, at, place: { city: 'Ulm' } },
      { id: 0, at },
      { id: 2 },
      { id: 3, at: 'soon' },
      { id: 4, at, place: {} },
      { id: 5, at, extra: 1 },
      { id: 6, at, place: null }
    ])
    assert.equal(ran.imbalance, 0)
    assert.deepEqual(
      (await rowsOf(workshop, 'v1/')).map(({ id }) => id),
      [1, 6]
    )
    assert.deepEqual(
      ran.deadLetters.map(({ nodeId, code, reason, record }) => [nodeId, code, JSON.parse(record).id, reason]),
      [
        ['v', 'invalid_record', 0, '/id must be >= 1'],
        ['v', 'invalid_record', 2, "The record must have required property 'at'"],
        ['v', 'invalid_record', 3, '/at must match format "date-time"'],
        ['v', 'invalid_record', 4, "/place must have required property 'city'"],
        ['v', 'invalid_record', 5, 'The record must NOT have additional properties: extra']
      ]
    )
  })

  test('puts many records through, in their order', async () => {
    const records = Array.from({ length: 10_000 }, (_, n) => ({ n }))
    const ran = await run({ properties: { n: { multipleOf: 3 } } }, 'v2/', records)
    assert.equal(ran.imbalance, 0)
    assert.equal(ran.ledger.recordsDeadLettered, 6666)
    const rows = await rowsOf(workshop, 'v2/')
    assert.deepEqual(
      rows.map(({ n }) => n),
      records.flatMap(({ n }) => (n % 3 === 0 ? [n] : []))
    )
  })

  test('refuses schemas that are none, refer elsewhere, or are too large', () => {
    const check = (schema: object) => {
      const config = { schema } as never
      const [plain = [], away = []] = [validate.check?.(config), validate.checkAway?.(config)]
      return [...new Set([...plain, ...away].map(({ pointer }) => pointer))]
    }
    assert.deepEqual(check({ type: 'object', $defs: { a: {} }, properties: { a: { $ref: '#/$defs/a' } } }), [])
    const deep = JSON.parse(`${'{"not":'.repeat(100)}{}${'}'.repeat(100)}`)
    for (const schema of [
      { type: 'thing' },
      { $ref: 'https://example.com/schema.json' },
      { properties: { a: { $ref: 'other.json#/a' } } },
      { $ref: '#/nowhere' },
      { description: 'x'.repeat(70_000) },
      { pattern: 'x'.repeat(201) },
      { patternProperties: { ['y'.repeat(201)]: {} } },
      { pattern: '(' },
      { $async: true },
      deep
    ]) {
      assert.deepEqual(check(schema), ['/schema'], JSON.stringify(schema).slice(0, 80))
    }
  })

  test('compiles what is referred to many times, once', () => {
    const names = Array.from({ length: 150 }, (_, n) => `p${n}`)
    const big = { properties: Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }])) }
    const many = Array.from({ length: 300 }, (_, n) => [`r${n}`, { $ref: '#/$defs/big' }])
    const faultOf = compileSchema({ $defs: { big }, properties: Object.fromEntries(many) })
    assert.ok(typeof faultOf === 'function', JSON.stringify(faultOf))
    assert.deepEqual([faultOf({ r7: { p3: 'x' } }), faultOf({ r7: { p3: 1 } })], [undefined, '/r7/p3 must be string'])
  })

  test('a schema that takes too long to compile is refused, and says what to do', () => {
    const properties = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`p${n}`, { type: 'string' }]))
    const refused = compileSchema({ properties }, 1)
    assert.ok(typeof refused === 'object' && refused.code === 'schema_too_complex')
    assert.match(refused.problem, /takes more than 0\.001 s to compile; divide it/)
  })

  test('a pattern that takes for ever is stopped', () => {
    const text = `${'a'.repeat(50)}b`
    assert.equal(
      withinTime(50, () => [/^(a+)+$/.test(text)]),
      undefined
    )
    assert.deepEqual(
      withinTime(1000, () => [1]),
      [1]
    )
    assert.throws(() => withinTime(1000, () => JSON.parse('{')), SyntaxError)
  })
})
