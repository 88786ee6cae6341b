import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeFolder } from '../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../test/support/servers/sql-postgres.ts'
import type { SqlServer } from '../../../test/support/servers/sql-server.ts'

describe('what can be read of a connector', () => {
  let test: TestApp
  let server: SqlServer
  let id: string
  before(async () => {
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    server = await startSqlPostgres(makeFolder('connectors'))
    await execute(
      'CREATE TABLE orders (id bigint PRIMARY KEY, customer text, total numeric(30, 2), paid boolean, at timestamptz, raw bytea)',
      `INSERT INTO orders SELECT n, 'customer ' || n, n + 0.25, n % 2 = 0, '2026-01-01 00:00+00'::timestamptz + n * interval '1 hour', '\\x00ff'
       FROM generate_series(1, 2500) n`,
      'INSERT INTO orders VALUES (9007199254740993, NULL, NULL, NULL, NULL, NULL)',
      'CREATE VIEW "odd.view" AS SELECT id FROM orders'
    )
    const { host, port, user, password, database } = server
    const body = { name: 'orders', sourceId: 'postgres', config: { host, port, user, password, database } }
    id = (await test.call('POST', '/api/connectors', { as: 'editor', body })).body.id
  })
  after(async () => {
    await test.close()
    await server.stop()
  })

  async function execute(...statements: string[]) {
    const client = new pg.Client(server)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const post = (path: string, body?: object, as: 'editor' | 'viewer' = 'editor') =>
    test.call('POST', `/api/connectors/${id}${path}`, { as, body })
  const get = async (path: string) => (await test.call('GET', `/api/connectors/${id}${path}`, { as: 'viewer' })).body

  it('is found with columns and keys, and again with what has become otherwise', async () => {
    assert.equal((await post('/test')).body.success, true)
    assert.equal((await get('')).status, 'healthy')
    const first = (await post('/discover')).body
    assert.deepEqual(first, {
      total: 2,
      whole: true,
      added: ['"public"."odd.view"', 'public.orders'],
      removed: [],
      changed: [],
      notes: []
    })
    const { streams } = await get('/streams?q=orders')
    assert.deepEqual(
      [streams[0].reference, streams[0].keys, streams[0].cursors, streams[0].columns.at(-1)],
      [`connector://${id}/public.orders`, ['id'], ['id', 'total', 'at'], { name: 'raw', type: 'blob', nullable: true }]
    )
    assert.deepEqual((await get('')).streams.total, 2)
    await execute(
      'DROP VIEW "odd.view"',
      'ALTER TABLE orders DROP COLUMN raw',
      'ALTER TABLE orders ALTER COLUMN customer TYPE varchar(50)',
      'ALTER TABLE orders ALTER COLUMN paid TYPE text USING paid::text',
      'ALTER TABLE orders ADD COLUMN note text',
      'CREATE TABLE fresh (a integer)'
    )
    const change = {
      name: 'public.orders',
      columnsAdded: ['note'],
      columnsRemoved: ['raw'],
      columnsChanged: ['paid']
    }
    assert.deepEqual((await post('/discover')).body, {
      total: 2,
      whole: true,
      added: ['public.fresh'],
      removed: ['"public"."odd.view"'],
      changed: [change],
      notes: []
    })
  })

  it('is read with exact values, and goes on from a position', async () => {
    const stream = 'public.orders'
    const { body } = await post('/read', { stream, limit: 2, cursor: { column: 'id' } }, 'viewer')
    assert.deepEqual(body.records[1], {
      id: 2,
      customer: 'customer 2',
      total: '2.25',
      paid: 'true',
      at: '2026-01-01 02:00:00.000000',
      note: null
    })
    assert.deepEqual([body.records.length, body.position], [2, '2'])
    const next = (await post('/read', { stream, limit: 5000, cursor: { column: 'id', after: '2499' } }, 'viewer')).body
    assert.equal(next.code, 'invalid_request')
    const rest = (await post('/read', { stream, limit: 1000, cursor: { column: 'id', after: '2499' } }, 'viewer')).body
    assert.deepEqual(
      rest.records.map((record: { id: unknown }) => record.id),
      [2500, '9007199254740993']
    )
    const absent = await post('/read', { stream: 'public.absent' }, 'viewer')
    assert.deepEqual([absent.status, absent.body.code], [404, 'unknown_stream'])
    const short = await post('/read', { stream: stream.slice(stream.indexOf('.') + 1).toUpperCase() }, 'viewer')
    assert.equal(short.body.code, 'unknown_stream')
    assert.match(short.body.detail, new RegExp(`but ${stream}`))
    for (const [cursor, pointer] of [
      [{ column: 'absent' }, '/cursor/column'],
      [{ column: 'id', after: 'abc' }, '/cursor/after'],
      [{ column: 'at', after: 'yesterday' }, '/cursor/after']
    ] as const) {
      const refused = await post('/read', { stream, cursor }, 'viewer')
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, pointer])
    }
  })

  it('is walked to its end by positions, whatever has the same value, and keeps its place there', async () => {
    await execute('CREATE TABLE dup AS SELECT n AS id, n / 100 AS k FROM generate_series(0, 999) n')
    await post('/discover')
    for (const limit of [1, 30, 150, 1000]) {
      const seen = new Set<number>()
      let after: string | null = null
      for (;;) {
        const cursor: object = { column: 'k', ...(after !== null && { after }) }
        const { body } = await post('/read', { stream: 'public.dup', limit, cursor }, 'viewer')
        for (const { id: one } of body.records) seen.add(one)
        if (body.records.length === 0) {
          assert.deepEqual([body.position, body.columns.length], [after, 2])
          break
        }
        after = body.position
      }
      assert.equal(seen.size, 1000, `limit ${limit}`)
    }
  })

  it('goes on by no column that is not listed for it, and says which are, also to pipelines', async () => {
    const cursor = { column: 'customer' }
    const { status, body } = await post('/read', { stream: 'public.orders', cursor }, 'viewer')
    assert.deepEqual(
      [status, body.errors],
      [400, [{ pointer: '/cursor/column', message: 'must be a column that reading can go on by: id, total, at' }]]
    )
    const config = { connectorId: id, stream: 'public.orders', cursor: 'customer' }
    const nodes = [
      { id: 'in', type: 'stream', config },
      { id: 'out', type: 'object', config: { bucket: 'absent', prefix: 'a/', format: 'csv' }, inputs: ['in'] }
    ]
    const refused = await test.call('POST', '/api/pipelines', { as: 'editor', body: { name: 'by customer', nodes } })
    const fault = refused.body.errors.find(({ pointer }: { pointer: string }) => pointer === '/nodes/0/config/cursor')
    assert.match(fault?.message ?? refused.text, /can go on by: id, total, at$/)
  })

  it('is answered in bounded size', async () => {
    await execute("CREATE TABLE wide AS SELECT n AS id, repeat('x', 3000000) AS t FROM generate_series(1, 40) n")
    await post('/discover')
    const { body } = await post('/read', { stream: 'public.wide', limit: 40 }, 'viewer')
    assert.deepEqual([body.truncated, body.records.length], [true, 2])
    const by = await post('/read', { stream: 'public.wide', limit: 40, cursor: { column: 'id' } }, 'viewer')
    assert.deepEqual([by.status, by.body.code], [422, 'sample_too_large'])
    const few = await post('/read', { stream: 'public.wide', limit: 2, cursor: { column: 'id' } }, 'viewer')
    assert.deepEqual([few.body.records.length, few.body.position], [2, '2'])
  })

  it('is masked or refused for callers without clearance', async () => {
    const label = (resource: string, level: string, columns: string[] = []) =>
      test.call('POST', '/api/classification/resources', { as: 'admin', body: { resource, level, columns } })
    assert.equal((await label(`connector://${id}/public.orders`, 'confidential', ['customer', 'total'])).status, 201)
    const { body } = await post('/read', { stream: 'public.orders', limit: 1 }, 'viewer')
    assert.deepEqual(
      [body.masked, body.records[0].customer, body.records[0].total],
      [['customer', 'total'], '********', null]
    )
    const byMasked = await post('/read', { stream: 'public.orders', cursor: { column: 'total' } }, 'viewer')
    assert.deepEqual(
      [byMasked.status, byMasked.body.code],
      [403, 'above_clearance'],
      'its order and position tell values'
    )
    assert.equal((await label(`connector://${id}/public.fresh`, 'restricted')).status, 201)
    const refused = await post('/read', { stream: 'public.fresh' }, 'viewer')
    assert.deepEqual([refused.status, refused.body.code], [403, 'above_clearance'])
    // Other spellings of the same table.
    for (const stream of ['"public"."fresh"', 'fresh', '"fresh"', 'public."fresh"']) {
      const answer = await post('/read', { stream }, 'viewer')
      assert.deepEqual([stream, answer.status, answer.body.code], [stream, 404, 'unknown_stream'])
    }
  })
})
