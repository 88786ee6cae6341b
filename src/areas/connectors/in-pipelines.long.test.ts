import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestApp } from '../../../test/support/app.ts'
import { ConnectedDatabase } from '../../../test/support/connected-database.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { seenOfProcesses } from '../../../test/support/servers/descendants.ts'
import type { SqlServer } from '../../../test/support/servers/sql-server.ts'

const ROWS = 120_000

describe('connectors in pipelines', () => {
  let database: ConnectedDatabase
  let test: TestApp
  let server: SqlServer
  let connectorId: string
  before(async () => {
    database = await ConnectedDatabase.start(
      'orders',
      'CREATE TABLE orders (id bigint PRIMARY KEY, customer text, total numeric(30, 2))',
      `INSERT INTO orders SELECT n, 'customer ' || n, n + 0.25 FROM generate_series(1, ${ROWS}) n`
    )
    ;({ test, server, connectorId } = database)
  })
  after(() => database.stop())

  const call = (...asked: Parameters<ConnectedDatabase['call']>) => database.call(...asked)
  const execute = (...statements: string[]) => database.execute(...statements)
  const nodes = (config: object, prefix: string) => [
    { id: 'in', type: 'stream', config: { connectorId, stream: 'public.orders', ...config } },
    { id: 'out', type: 'object', config: { bucket: 'copies', prefix, format: 'parquet' }, inputs: ['in'] }
  ]
  async function run(id: string) {
    await call('POST', `/pipelines/${id}/start`)
    return eventually(async () => {
      const pipeline = await call('GET', `/pipelines/${id}`)
      assert.ok(['completed', 'failed'].includes(pipeline.status), pipeline.status)
      return pipeline
    }, 60_000)
  }
  async function make(name: string, config: object) {
    return (await call('POST', '/pipelines', { name, nodes: nodes(config, `${name}/`) })).id as string
  }

  it('are read once and whole, and go on by a cursor in the next run', async () => {
    const id = await make('new', { cursor: 'id' })
    const first = await run(id)
    assert.deepEqual(
      [first.status, first.run.ledger.recordsRead, first.run.ledger.recordsWritten],
      ['completed', ROWS, ROWS]
    )
    await execute(`INSERT INTO orders VALUES (${ROWS + 1}, 'late', 1)`)
    assert.equal((await run(id)).run.ledger.recordsRead, 1)
    const whole = await run(await make('all', {}))
    assert.equal(whole.run.ledger.recordsRead, ROWS + 1)
  })

  it('outlast a database that is killed in the middle, with nothing missing and nothing twice', async () => {
    const id = await make('killed', { cursor: 'id' })
    await call('POST', `/pipelines/${id}/start`)
    await eventually(async () => assert.equal((await call('GET', `/pipelines/${id}`)).status, 'running'))
    await server.stop('SIGKILL')
    await server.restart()
    const done = await eventually(async () => {
      const pipeline = await call('GET', `/pipelines/${id}`)
      assert.equal(pipeline.status, 'completed', JSON.stringify(pipeline.error))
      return pipeline
    }, 90_000)
    assert.deepEqual([done.run.ledger.recordsRead, done.run.ledger.recordsWritten], [ROWS + 1, ROWS + 1])
    const rule = { name: 'once', dataset: 'object://copies/killed/**', type: 'unique', config: { columns: ['id'] } }
    const made = await call('POST', '/quality/rules', rule)
    const result = await call('POST', `/quality/rules/${made.id}/evaluate`)
    assert.deepEqual([result.status, result.rowsChecked, result.rowsFailed], ['passed', ROWS + 1, 0])
  })

  it('stand in the lineage, and their levels go with the values', async () => {
    const id = await make('levels', { cursor: 'id' })
    const resource = `connector://${connectorId}/public.orders`
    await call('POST', '/classification/resources', { resource, level: 'restricted', columns: ['customer'] })
    await run(id)
    const up = await call('GET', `/lineage/upstream/${encodeURIComponent('object://copies/levels/*.parquet')}`)
    assert.ok(
      up.nodes.some(({ id: one }: { id: string }) => one === resource),
      JSON.stringify(up)
    )
    const listed = await call('GET', '/buckets/copies/objects?prefix=levels/')
    const key = listed.objects[0]?.name
    assert.ok(key, JSON.stringify(listed))
    const refused = await test.call('GET', `/api/buckets/copies/objects/${key}`, { as: 'viewer' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'above_clearance'], `${key} ${refused.text}`)
    const made = { name: 'leak', nodes: nodes({}, 'leak/') }
    const leak = await test.call('POST', '/api/pipelines', { as: 'editor', body: made })
    assert.deepEqual([leak.status, leak.body.code], [403, 'above_clearance'])
  })

  it('that failed their test are due for another as soon as a run has read them', async () => {
    const { metadata } = test.platform
    const id = await make('tested', { cursor: 'id' })
    const far = Date.now() + 900_000
    for (const rows of ['some', 'none']) {
      const failing = { status: 'failing' as const, next_test_ms: far }
      await metadata.transaction((tx) =>
        tx.updateTable('connectors').set(failing).where('id', '=', connectorId).execute()
      )
      assert.equal((await run(id)).status, 'completed')
      await eventually(async () => {
        const [row] = await metadata.db.selectFrom('connectors').selectAll().where('id', '=', connectorId).execute()
        assert.ok(row?.status === 'healthy' || (row?.next_test_ms ?? far) < far, `${rows} rows were read`)
      })
    }
  })

  it('are refused where there is none, by field, and can’t be deleted while a pipeline reads them', async () => {
    for (const [config, pointer] of [
      [{ connectorId: 'cn_none' }, '/nodes/0/config/connectorId'],
      [{ stream: 'orders' }, '/nodes/0/config/stream']
    ] as const) {
      const answer = await test.call('POST', '/api/pipelines', {
        as: 'admin',
        body: { name: 'x', nodes: nodes(config, 'x/') }
      })
      assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, pointer], answer.text)
    }
    const deleted = await test.call('DELETE', `/api/connectors/${connectorId}`, { as: 'admin' })
    assert.deepEqual([deleted.status, deleted.body.code], [409, 'in_use'])
    const [user] = deleted.body.usedBy
    assert.equal(user.type, 'pipeline')
    const text = JSON.stringify(await call('GET', `/pipelines/${user.id}`)) + test.logged.join('\n')
    assert.ok(!text.includes(JSON.stringify(server.password).slice(1, -1)))
    const seen = seenOfProcesses()
    assert.match(seen, /pipelines\/host\/main/, 'a process that reads for a pipeline')
    assert.ok(!seen.includes(server.password))
    assert.equal((await test.call('DELETE', `/api/connectors/${connectorId}?force=true`, { as: 'admin' })).status, 204)
    const failed = await run(user.id)
    assert.deepEqual([failed.status, failed.error.code], ['failed', 'connector_missing'])
  })
})
