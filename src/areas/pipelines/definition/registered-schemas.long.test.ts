// Once: where a node gets its schema from, not what keeps it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { Problem } from '../../../errors.ts'
import { schemaFaults, withSchemas } from './registered-schemas.ts'

describe('validate nodes with a registered schema', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const register = async (name: string, type: string, schema: unknown): Promise<string> => {
    const made = await test.call('POST', '/api/schemas', { as: 'editor', body: { name, type, schema } })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const graph = (config: object) => [
    { id: 'in', type: 'webhook' },
    { id: 'v', type: 'validate', config, inputs: ['in'] },
    { id: 'out', type: 'object', config: { bucket: 'checked', prefix: 'v/', format: 'ndjson' }, inputs: ['v'] }
  ]
  const preview = (config: object, records: object[]) =>
    test.call('POST', '/api/pipelines/preview', {
      as: 'editor',
      body: { nodes: graph(config), samples: { in: records } }
    })
  const outcome = async (config: object, records: object[]) => {
    const { status, body, text } = await preview(config, records)
    assert.equal(status, 200, text)
    const { total, deadLetters } = body.nodes.find(({ id }: { id: string }) => id === 'v')
    return [total, deadLetters.length]
  }

  const records = [{ press: 2 }, { press: 2.5 }, {}]
  const SCHEMAS = {
    json: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      required: ['press'],
      properties: { press: { type: 'integer' } }
    },
    avro: { type: 'record', name: 'Reading', fields: [{ name: 'press', type: 'long' }] },
    protobuf: 'syntax = "proto2"; message Reading { required int32 press = 1; }'
  }

  for (const [type, schema] of Object.entries(SCHEMAS)) {
    it(`hold records against ${type}`, async () => {
      const schemaId = await register(`readings ${type}`, type, schema)
      assert.deepEqual(await outcome({ schemaId }, records), [1, 2])
    })
  }

  it('of Avro take times as texts and as the numbers that its logical types count', async () => {
    const time = (logicalType: string) => ({ type: 'long', logicalType })
    const schemaId = await register('times avro', 'avro', {
      type: 'record',
      name: 'Times',
      fields: [
        { name: 'ms', type: time('timestamp-millis') },
        { name: 'us', type: ['null', time('timestamp-micros')], default: null },
        { name: 'ns', type: ['null', time('timestamp-nanos')], default: null },
        { name: 'day', type: ['null', { type: 'int', logicalType: 'date' }], default: null }
      ]
    })
    const nodes = [
      { id: 'in', type: 'webhook', config: { schemaId } },
      { id: 'out', type: 'object', config: { bucket: 'checked', prefix: 'v/', format: 'ndjson' }, inputs: ['in'] }
    ]
    const ms = Date.parse('2026-03-09T13:00:00Z')
    const samples = {
      in: [
        { ms, us: ms * 1000, ns: ms * 1e6, day: 20_521 },
        { ms: '2026-03-09T14:00:00+01:00', us: '2026-03-09T13:00:00Z', ns: null, day: '2026-03-09' },
        { ms: ms + 0.5 },
        { ms: 9e18 },
        { ms: 'soon' }
      ]
    }
    const { body } = await test.call('POST', '/api/pipelines/preview', { as: 'editor', body: { nodes, samples } })
    const { records: read, deadLetters, columns } = body.nodes[0]
    const [first, second] = read
    assert.deepEqual([first.ms, first.us, first.ns, first.day], [second.ms, second.us, first.ms, second.day])
    assert.match(JSON.stringify(first.ms), /2026-03-09.13:00:00/)
    assert.deepEqual(
      columns.map(({ type }: { type: string }) => type),
      ['TIMESTAMPTZ', 'TIMESTAMPTZ', 'TIMESTAMPTZ', 'DATE']
    )
    assert.deepEqual(
      deadLetters.map(({ code }: { code: string }) => code),
      ['wrong_type', 'wrong_type', 'wrong_type']
    )
    assert.deepEqual(await outcome({ schemaId }, [{ ms }, { ms: 'soon' }, { ms: '2026-03-09T14:00:00+01:00' }]), [2, 1])
  })

  it('take the newest version unless one is named', async () => {
    const schemaId = await register('versions', 'json', { properties: { press: { type: 'integer' } } })
    await test.call('PUT', `/api/schemas/${schemaId}`, { as: 'editor', body: { compatibility: 'NONE' } })
    await test.call('POST', `/api/schemas/${schemaId}/versions`, {
      as: 'editor',
      body: { schema: { properties: { press: { type: 'string' } } } }
    })
    assert.deepEqual(await outcome({ schemaId }, records.slice(0, 1)), [0, 1])
    assert.deepEqual(await outcome({ schemaId, version: 1 }, records.slice(0, 1)), [1, 0])
  })

  it('are refused where there is no such schema, or not one of the two is given', async () => {
    const pointers = async (config: object) =>
      (await preview(config, records)).body.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(await pointers({ schemaId: 'sch_none' }), ['/nodes/1/config/schemaId'])
    assert.deepEqual(await pointers({}), ['/nodes/1/config'])
    const both = await pointers({ schema: {}, schemaId: 'sch_none' })
    assert.deepEqual(both, ['/nodes/1/config', '/nodes/1/config/schemaId'])
    assert.deepEqual(await pointers({ schema: {}, version: 1 }), ['/nodes/1/config/version'])
  })
})

describe('sources with a registered schema', () => {
  const source = (config: object) => ({ id: 'in', type: 'webhook', inputs: [], config: { ...config } })
  const schemaOf = async (id: string, version: number | undefined) => {
    if (id === 'sch_none') throw new Problem('not_found')
    return id === 'sch_flat' ? { type: 'number' } : { properties: { [`v${version ?? 'newest'}`]: { type: 'integer' } } }
  }

  it('have its columns where they run', async () => {
    const nodes = [source({ schemaId: 'sch_1', format: 'json' }), source({ schemaId: 'sch_1', version: 2 }), source({})]
    const run = await withSchemas(nodes, schemaOf)
    assert.deepEqual(
      run.map(({ config }) => config),
      [{ format: 'json', columns: { vnewest: 'BIGINT' } }, { columns: { v2: 'BIGINT' } }, {}]
    )
  })

  it('are refused where it is not there or has no fields', async () => {
    const nodes = [source({ schemaId: 'sch_none' }), source({ schemaId: 'sch_flat' }), source({ schemaId: 'sch_1' })]
    assert.deepEqual(await schemaFaults(nodes, schemaOf), [
      { pointer: '/nodes/0/config/schemaId', message: 'in: there is no schema sch_none with a version in force' },
      {
        pointer: '/nodes/1/config/schemaId',
        message: 'in: the schema has no fields at the top that could give types'
      }
    ])
  })

  it('have to be given them again where the schema has gone since', async () => {
    await assert.rejects(withSchemas([source({ schemaId: 'sch_none' })], schemaOf), { code: 'schema_missing' })
  })
})
