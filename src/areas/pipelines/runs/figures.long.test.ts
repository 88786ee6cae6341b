// Once: it starts processes that run pipelines, which know nothing of the database.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import type { RunWarning } from '../store/rows.ts'

describe('what a run shows of itself', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp({ env: { ALLOW_PRIVATE_NETWORKS: 'true' } })
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'results' } })
  })
  after(() => test.close())

  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body })
  const put = (key: string, body: string) =>
    test.call('PUT', `/api/buckets/results/objects/${encodeURIComponent(key)}`, { as: 'editor', body })
  const reach = (id: string, status: string) =>
    eventually(async () => {
      const { body } = await call('GET', `/${id}`)
      assert.equal(body.status, status, JSON.stringify(body.error))
      return body
    })
  async function start(name: string, nodes: unknown): Promise<string> {
    const { status, body, text } = await call('POST', '', { name, nodes })
    assert.equal(status, 201, text)
    assert.equal((await call('POST', `/${body.id}/start`)).status, 202)
    return body.id
  }

  const objects = { id: 'out', type: 'object', config: { bucket: 'results', prefix: 'x/', format: 'ndjson' } }
  const file = (key: string, more: object = {}) => {
    return { id: 'in', type: 'file', config: { reference: `object://results/${key}`, ...more } }
  }
  const codes = (warnings: readonly RunWarning[]) => warnings.map(({ nodeId, code }) => [nodeId, code])

  it('counts whole batches: its books balance while one is under way', async () => {
    const released = Promise.withResolvers<void>()
    const server = createServer((request, response) => {
      request.resume()
      void released.promise.then(() => response.end())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const sink = { id: 'slow', type: 'http', config: { url, batchRows: 50 }, inputs: ['even'] }
    const id = await start('slow', [
      { id: 'gen', type: 'generate', config: { count: 100, fields: { n: 'n' } } },
      { id: 'even', type: 'filter', config: { where: 'n % 2 = 0' }, inputs: ['gen'] },
      sink,
      { ...objects, inputs: ['gen'] }
    ])
    const seen = await eventually(async () => {
      const { run } = (await call('GET', `/${id}`)).body
      assert.equal(run.balanced, true, JSON.stringify(run.ledger))
      assert.equal(run.recordsUnderWay, 100)
      return run
    })
    assert.deepEqual([seen.ledger.recordsRead, seen.ledger.recordsWritten], [0, 0])
    released.resolve()
    const { run } = await reach(id, 'completed')
    assert.deepEqual([run.ledger.recordsRead, run.ledger.recordsWritten, run.balanced], [100, 150, true])
    assert.equal(run.recordsUnderWay, 0)
    server.closeAllConnections()
    server.close()
  })

  it('warns where nothing was read, by its source', async () => {
    await put('empty.csv', 'n,v\n')
    await put('coded.csv', 'n,v\n1,2\n')
    for (const [name, source] of [
      ['empty', file('empty.csv')],
      ['encoding', file('coded.csv', { csv: { encoding: 'utf-16le' } })]
    ] as const) {
      const id = await start(name, [source, { ...objects, inputs: ['in'] }])
      const { run } = await reach(id, 'completed')
      assert.deepEqual(codes(run.warnings), [['in', 'read_nothing']], name)
      assert.match(run.warnings[0].message, /^in gave no record.*object:\/\/results\/.*encoding/)
      assert.deepEqual((await call('GET', `/${id}/runs`)).body.runs[0].warnings, run.warnings)
      await eventually(async () => {
        const headers = { accept: 'application/json' }
        const { logs } = (await test.call('GET', `/api/pipelines/${id}/logs`, { as: 'editor', headers })).body
        assert.ok(logs.some(({ message }: { message: string }) => message === run.warnings[0].message))
        return true
      })
    }
  })

  it('does not warn twice of what its start has told, and not where all went well', async () => {
    await put('good.csv', 'n,v\n1,2\n')
    const gone = await start('gone', [file('gone.csv'), { ...objects, inputs: ['in'] }])
    assert.deepEqual(codes((await reach(gone, 'completed')).run.warnings), [['in', 'nothing_matches']])
    const good = await start('good', [file('good.csv'), { ...objects, inputs: ['in'] }])
    assert.deepEqual((await reach(good, 'completed')).run.warnings, [])
  })

  it('warns where records were read and none was written, by the node where they ended', async () => {
    await put('three.csv', 'n,v\n1,2\n2,3\n3,4\n')
    const filter = { id: 'none', type: 'filter', config: { where: 'n > 10' }, inputs: ['in'] }
    const filtered = await start('filtered', [file('three.csv'), filter, { ...objects, inputs: ['none'] }])
    assert.deepEqual((await reach(filtered, 'completed')).run.warnings, [
      {
        nodeId: 'none',
        code: 'wrote_nothing',
        message:
          '3 records read, none written: of 3 records that came to none all were filtered; look at its configuration'
      }
    ])
    const cast = { id: 'cast', type: 'map', config: { select: { d: "('x' || n::VARCHAR)::DATE" } }, inputs: ['in'] }
    const refused = await start('refused', [file('three.csv'), cast, { ...objects, inputs: ['cast'] }])
    const { run } = await reach(refused, 'completed')
    assert.deepEqual(codes(run.warnings), [['cast', 'wrote_nothing']])
    assert.match(run.warnings[0].message, /all were refused; its dead letters say why$/)
  })

  it('does not warn of what a window holds when it is stopped', async () => {
    const windows = {
      id: 'w',
      type: 'aggregate',
      config: { time: 't', window: '1h', select: { c: 'count(*)' } },
      inputs: ['in']
    }
    const hook = { id: 'in', type: 'webhook', config: { columns: { t: 'TIMESTAMP' } } }
    const id = await start('held', [hook, windows, { ...objects, inputs: ['w'] }])
    await reach(id, 'running')
    await call('POST', `/${id}/nodes/in/records`, [{ t: '2026-03-09T13:00:00Z' }])
    await call('POST', `/${id}/stop`)
    assert.deepEqual((await reach(id, 'stopped')).run.warnings, [])
  })
})
