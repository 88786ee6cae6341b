import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestApp } from '../../../test/support/app.ts'
import { ConnectedDatabase } from '../../../test/support/connected-database.ts'
import { eventually } from '../../../test/support/eventually.ts'

describe('connectors in nodes for SQL', () => {
  let database: ConnectedDatabase
  let test: TestApp
  let connectorId: string
  before(async () => {
    database = await ConnectedDatabase.start(
      'people',
      'CREATE TABLE people (id bigint PRIMARY KEY, name text)',
      `INSERT INTO people SELECT n, 'person ' || n FROM generate_series(1, 500) n`,
      "CREATE TABLE hidden AS SELECT 1 AS id, text 'x' AS name",
      'CREATE TABLE copies (id bigint PRIMARY KEY, name text)',
      `INSERT INTO copies VALUES (1, 'old'), (900, 'other')`
    )
    ;({ test, connectorId } = database)
  })
  after(() => database.stop())

  const call = (...asked: Parameters<ConnectedDatabase['call']>) => database.call(...asked)
  const execute = (...statements: string[]) => database.execute(...statements)
  const reading = (config: object) => ({ id: 'in', type: 'sql', config: { connectorId, ...config } })
  const toObject = (prefix: string) => ({
    id: 'out',
    type: 'object',
    config: { bucket: 'copies', prefix, format: 'parquet' },
    inputs: ['in']
  })
  async function run(name: string, nodes: readonly object[]) {
    const { id } = await call('POST', '/pipelines', { name, nodes })
    await call('POST', `/pipelines/${id}/start`)
    return eventually(async () => {
      const pipeline = await call('GET', `/pipelines/${id}`)
      assert.ok(['completed', 'failed'].includes(pipeline.status), pipeline.status)
      return pipeline
    }, 60_000)
  }
  const refusal = async (nodes: readonly object[], as: 'admin' | 'editor' = 'admin') => {
    const { status, body } = await test.call('POST', '/api/pipelines', { as, body: { name: 'refused', nodes } })
    return [status, body.errors?.[0]?.pointer ?? body.code]
  }

  it('are read by table and by statement', async () => {
    const query = 'SELECT id, upper(name) AS name FROM people WHERE id <= 20'
    const table = await run('table', [reading({ table: 'public.people', cursor: 'id' }), toObject('table/')])
    assert.deepEqual([table.status, table.run.ledger.recordsWritten], ['completed', 500], JSON.stringify(table.error))
    const statement = await run('statement', [reading({ query }), toObject('statement/')])
    assert.deepEqual([statement.status, statement.run.ledger.recordsWritten], ['completed', 20])
  })

  it('are written to, and rows with the same keys replaced', async () => {
    const nodes = [
      reading({ table: 'public.people', cursor: 'id' }),
      {
        id: 'out',
        type: 'sql',
        config: { connectorId, table: 'public.copies', mode: 'upsert', keys: ['id'] },
        inputs: ['in']
      }
    ]
    const done = await run('upserts', nodes)
    assert.deepEqual([done.status, done.run.ledger.recordsWritten], ['completed', 500], JSON.stringify(done.error))
    const [counted] = await execute(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE name LIKE 'person%')::int AS copied FROM copies`
    )
    assert.deepEqual(counted, { all: 501, copied: 500 })
    const up = await call('GET', `/lineage/upstream/${encodeURIComponent(`connector://${connectorId}/public.copies`)}`)
    assert.ok(up.nodes.some(({ id }: { id: string }) => id === `connector://${connectorId}/public.people`))
    const inUse = await test.call('DELETE', `/api/connectors/${connectorId}`, { as: 'admin' })
    assert.equal(inUse.status, 409)
  })

  it('are refused by field where they are not there, or where a connection is spelt out as well', async () => {
    const connection = { kind: 'postgres', host: 'db.example', database: 'plant' }
    for (const [config, pointer] of [
      [{ connectorId: 'cn_none', table: 'public.people' }, '/nodes/0/config/connectorId'],
      [{ connectorId: 'cn_none', query: 'SELECT 1' }, '/nodes/0/config/connectorId'],
      [{ table: 'people' }, '/nodes/0/config/table'],
      [{ table: 'public.people', connection }, '/nodes/0/config/connectorId']
    ] as const) {
      assert.deepEqual(await refusal([reading(config), toObject('x/')]), [400, pointer])
    }
  })

  it('give nobody what is above their clearance, by no statement', async () => {
    // Nothing has read it yet, so that the lineage knows nothing of it.
    const resource = `connector://${connectorId}/public.hidden`
    const level = await call('POST', '/classification/resources', { resource, level: 'restricted', columns: ['name'] })
    const query = 'SELECT id FROM public.copies'
    assert.deepEqual(await refusal([reading({ query }), toObject('x/')], 'editor'), [403, 'above_clearance'])
    assert.deepEqual(await refusal([reading({ table: 'public.hidden' }), toObject('x/')], 'editor'), [
      403,
      'above_clearance'
    ])
    const done = await run('levels', [reading({ query: 'SELECT * FROM hidden' }), toObject('levels/')])
    assert.equal(done.status, 'completed')
    const listed = await call('GET', '/buckets/copies/objects?prefix=levels/')
    const read = await test.call('GET', `/api/buckets/copies/objects/${listed.objects[0].name}`, { as: 'viewer' })
    assert.deepEqual([read.status, read.body.code], [403, 'above_clearance'])
    await call('DELETE', `/classification/resources/${level.id}`)
  })
})
