import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

const SCHEMAS = {
  avro: {
    type: 'record',
    name: 'Order',
    namespace: 'shop',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'note', type: ['null', 'string'], default: null },
      { name: 'placed', type: { type: 'long', logicalType: 'timestamp-millis' } },
      {
        name: 'lines',
        type: { type: 'array', items: { type: 'record', name: 'Line', fields: [{ name: 'count', type: 'int' }] } }
      }
    ]
  },
  json: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['id', 'mail'],
    properties: {
      id: { type: 'integer', minimum: 1 },
      mail: { type: 'string', format: 'email' },
      state: { enum: ['open', 'paid'] },
      code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{3}$' }
    },
    additionalProperties: false
  },
  protobuf: `syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
message Order {
  int64 id = 1;
  google.protobuf.Timestamp placed = 2;
  repeated Line lines = 3;
  enum State { OPEN = 0; PAID = 1; }
  State state = 4;
  message Line { int32 count = 1; }
}`
} as const

type Kind = keyof typeof SCHEMAS

describe('tools for schemas', () => {
  let test: TestApp
  const ids = {} as Record<Kind, string>

  before(async () => {
    test = await startTestApp()
    for (const type of Object.keys(SCHEMAS) as Kind[]) {
      const made = await test.call('POST', '/api/schemas', {
        as: 'editor',
        body: { name: type, type, schema: SCHEMAS[type] }
      })
      assert.equal(made.status, 201, made.text)
      ids[type] = made.body.id
    }
  })
  after(() => test.close())

  const get = (path: string) => test.call('GET', `/api/schemas/${path}`, { as: 'viewer' })
  const post = (path: string, body: object) => test.call('POST', `/api/schemas/${path}`, { as: 'viewer', body })

  for (const type of Object.keys(SCHEMAS) as Kind[]) {
    it(`make ${type} examples that fit, the same for the same seed`, async () => {
      const { body } = await get(`${ids[type]}/versions/latest/example?count=20&seed=7`)
      assert.equal(body.examples.length, 20)
      assert.deepEqual((await get(`${ids[type]}/versions/1/example?count=20&seed=7`)).body, body)
      assert.notDeepEqual((await get(`${ids[type]}/versions/1/example?count=20&seed=8`)).body, body)
      const checked = await post(`${ids[type]}/versions/1/validate`, { records: body.examples })
      assert.deepEqual(checked.body, { valid: true, checked: 20, invalid: 0, errors: [] })
    })

    for (const to of Object.keys(SCHEMAS) as Kind[]) {
      it(`say ${type} as ${to}, which is a schema, and what is lost`, async () => {
        const { status, body } = await get(`${ids[type]}/versions/1/convert?to=${to}`)
        assert.equal(status, 200)
        assert.deepEqual([body.type, body.lossless], [to, body.lost.length === 0])
        const made = await test.call('POST', '/api/schemas', {
          as: 'editor',
          body: { name: `${type} as ${to}`, type: to, schema: body.schema }
        })
        assert.equal(made.status, 201, `${made.text}\n${body.schema}`)
      })
    }
  }

  it('say where a value does not fit', async () => {
    const wrong = { json: { id: 0, mail: 'ada' }, avro: { id: 'x', placed: 0, lines: [] }, protobuf: { id: 'x' } }
    for (const [type, data] of Object.entries(wrong)) {
      const { body } = await post(`${ids[type as Kind]}/versions/1/validate`, { data })
      assert.equal(body.valid, false)
      assert.deepEqual([body.errors[0].record, body.errors[0].pointer], [0, '/id'], type)
    }
    assert.equal((await post(`${ids.json}/versions/1/validate`, {})).status, 400)
    assert.equal((await post(`${ids.json}/versions/1/validate`, { data: 1, records: [1] })).status, 400)
    assert.equal((await post(`${ids.json}/versions/9/validate`, { data: 1 })).status, 404)
  })

  it('make a schema out of records and out of data of the platform', async () => {
    const records = [
      { press: 2, celsius: 21.5, at: '2026-01-01T08:00:00Z' },
      { press: 3, celsius: null, at: '2026-01-01T08:00:01Z', note: 'hot' }
    ]
    for (const type of Object.keys(SCHEMAS)) {
      const { body } = await post('infer', { type, name: 'Reading', records })
      assert.deepEqual([body.type, body.recordsRead], [type, 2])
      const made = await test.call('POST', '/api/schemas', {
        as: 'editor',
        body: { name: `of records ${type}`, type, schema: body.schema }
      })
      assert.equal(made.status, 201, made.text)
      if (type !== 'json') continue
      const checked = await post(`${made.body.id}/versions/1/validate`, { records })
      assert.equal(checked.body.valid, true, checked.text)
    }

    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'readings' } })
    const csv = 'press,celsius,at\n2,21.5,2026-01-01T08:00:00Z\n3,,2026-01-01T08:00:01Z\n'
    await test.call('PUT', '/api/buckets/readings/objects/a.csv', {
      as: 'editor',
      body: csv,
      headers: { 'content-type': 'text/csv' }
    })
    const { status, body, text } = await post('infer', {
      type: 'avro',
      name: 'Reading',
      reference: 'object://readings/*.csv'
    })
    assert.equal(status, 200, text)
    const { name, fields } = JSON.parse(body.schema)
    assert.deepEqual(
      [name, fields.map(({ name }: { name: string }) => name), body.recordsRead],
      ['Reading', ['press', 'celsius', 'at'], 2]
    )
    assert.deepEqual([fields[0].type, fields[1].type], ['long', ['null', 'double']])
    assert.equal((await post('infer', { type: 'avro', reference: 'object://nowhere/a.csv' })).status, 422)
    assert.equal((await post('infer', { type: 'avro', reference: 'readings' })).body.errors[0].pointer, '/reference')
    assert.equal((await post('infer', { type: 'avro' })).status, 400)
  })

  it('do not show data to who may not read them', async () => {
    const key = await test.call('POST', '/api/api-keys', {
      as: 'editor',
      body: { name: 'schemas only', scopes: ['schemas:read'] }
    })
    const body = { type: 'avro', reference: 'object://readings/a.csv' }
    const refused = await test.call('POST', '/api/schemas/infer', { as: { token: key.body.key }, body })
    assert.deepEqual([refused.status, refused.body.permission], [403, 'buckets:read'])
  })
})
