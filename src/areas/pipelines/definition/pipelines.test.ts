import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'

describe('pipelines', () => {
  let test: TestApp
  let sourceId: string
  let made = 0

  before(async () => {
    test = await startTestApp()
    sourceId = (await test.call('POST', '/api/catalog/sources', { as: 'editor', body: { name: 's' } })).body.id
  })
  after(() => test.close())

  /** Without SQL, so that no process is started to check it. */
  const nodesFor = (value = 'v') => [
    { id: 'in', type: 'webhook' },
    { id: 'out', type: 'series', config: { source: sourceId, time: 't', tag: 'tag', value }, inputs: ['in'] }
  ]
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body, headers })

  async function make(name = `p${made++}`): Promise<string> {
    const { status, body } = await call('POST', '', { name, nodes: nodesFor() })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }

  it('are made, found and listed with the number of their nodes', async () => {
    const created = await call('POST', '', { name: 'first', description: 'd', nodes: nodesFor() })
    const { id, status, version, nodes, run } = created.body
    assert.deepEqual([created.status, status, version, run], [201, 'stopped', 1, null])
    assert.equal(created.headers.get('location'), `/api/pipelines/${id}`)
    assert.deepEqual(nodes[0], { id: 'in', type: 'webhook', config: {}, inputs: [] })
    assert.deepEqual((await call('GET', `/${id}`)).body, created.body)
    const { body } = await call('GET', '?q=FIRST&status=stopped')
    assert.deepEqual([body.total, body.nextCursor, body.pipelines[0].nodes], [1, null, 2])
    assert.equal((await call('GET', '?q=first&status=running')).body.total, 0)
  })

  it('have names of their own', async () => {
    await make('taken')
    const again = await call('POST', '', { name: 'taken', nodes: nodesFor() })
    assert.deepEqual([again.status, again.body.code], [409, 'name_taken'])
    const id = await make()
    assert.equal((await call('PUT', `/${id}`, { name: 'taken' })).body.code, 'name_taken')
  })

  it('are listed page by page, each once', async () => {
    for (let i = 0; i < 5; i++) await make(`page ${i}`)
    const names: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `?q=page&limit=2${cursor}`)
      names.push(...body.pipelines.map(({ name }: { name: string }) => name))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    assert.deepEqual(names, ['page 0', 'page 1', 'page 2', 'page 3', 'page 4'])
  })

  it('keep every version of their nodes', async () => {
    const id = await make()
    const changed = await call('PUT', `/${id}`, { nodes: nodesFor('w') }, { 'if-match': '"v1"' })
    assert.deepEqual([changed.status, changed.body.version, changed.body.nodes[1].config.value], [200, 2, 'w'])
    assert.equal((await call('PUT', `/${id}`, { description: 'x' }, { 'if-match': '"v1"' })).status, 412)
    assert.equal((await call('GET', `/${id}/versions/1`)).body.nodes[1].config.value, 'v')
    const { body } = await call('GET', `/${id}/versions`)
    assert.deepEqual(
      body.versions.map(({ version }: { version: number }) => version),
      [2, 1]
    )
    assert.equal((await call('GET', `/${id}/versions/3`)).status, 404)
  })

  it('are not answered as unchanged while their figures may have moved', async () => {
    const id = await make()
    const answer = await call('GET', `/${id}`, undefined, { 'if-none-match': '"v1"' })
    assert.deepEqual([answer.status, answer.headers.get('etag')], [200, '"v1"'])
  })

  it('are copied without their history', async () => {
    const id = await make()
    const copy = await call('POST', `/${id}/duplicate`, { name: 'a copy' })
    assert.deepEqual([copy.status, copy.body.name, copy.body.version], [201, 'a copy', 1])
    assert.equal(copy.headers.get('location'), `/api/pipelines/${copy.body.id}`)
    assert.deepEqual(copy.body.nodes, (await call('GET', `/${id}`)).body.nodes)
  })

  it('start and stop only from where they can, and say so', async () => {
    const id = await make()
    const stopped = await call('POST', `/${id}/stop`)
    assert.deepEqual(
      [stopped.status, stopped.body.status, stopped.body.code, stopped.body.currentStatus, stopped.body.operation],
      [409, 409, 'illegal_transition', 'stopped', 'stop']
    )
    assert.deepEqual(stopped.body.allowedFrom, ['starting', 'running'])
    const started = await call('POST', `/${id}/start`)
    assert.deepEqual([started.status, started.body.status, started.body.run.number], [202, 'starting', 1])
    assert.equal((await call('POST', `/${id}/start`)).body.code, 'illegal_transition')
    assert.equal((await call('PUT', `/${id}`, { name: 'no' })).body.operation, 'update')
    assert.equal((await call('DELETE', `/${id}`)).body.operation, 'delete')
    await eventually(async () => (await call('GET', `/${id}`)).body.status === 'running')
    assert.equal((await call('POST', `/${id}/stop`)).status, 202)
    await eventually(async () => (await call('GET', `/${id}`)).body.status === 'stopped')
    const { body } = await call('GET', `/${id}/runs`)
    assert.deepEqual([body.total, body.runs[0].status, body.runs[0].balanced], [1, 'stopped', true])
    assert.equal((await call('GET', `/${id}/runs/${body.runs[0].id}`)).body.number, 1)
    assert.equal((await call('DELETE', `/${id}`)).status, 204)
    assert.equal((await call('GET', `/${id}`)).status, 404)
  })

  it('go out as files and come back', async () => {
    const id = await make('portable')
    for (const [format, type] of [
      ['json', 'application/json'],
      ['yaml', 'application/yaml']
    ] as const) {
      const file = await call('GET', `/${id}/export?format=${format}`)
      assert.equal(file.headers.get('content-disposition'), `attachment; filename="portable.${format}"`)
      const text = file.text.replace('portable', `from ${format}`)
      const imported = await call('POST', '/import', text, { 'content-type': type })
      assert.deepEqual([imported.status, imported.body.name], [201, `from ${format}`])
      assert.equal(imported.headers.get('location'), `/api/pipelines/${imported.body.id}`)
      assert.deepEqual(imported.body.nodes, (await call('GET', `/${id}`)).body.nodes)
    }
  })

  it('are imported once for one Idempotency-Key, and only from the same file', async () => {
    const headers = { 'idempotency-key': 'k1', 'content-type': 'application/json' }
    const text = JSON.stringify({ name: 'once', nodes: nodesFor() })
    const first = await call('POST', '/import', text, headers)
    assert.equal((await call('POST', '/import', text, headers)).body.id, first.body.id)
    const other = await call('POST', '/import', text.replace('once', 'other'), headers)
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
  })

  it('name only sources that are there, told by the node', async () => {
    const nodes = nodesFor()
    const config = { ...nodes[1]?.config, source: 'src_none' }
    const { status, body } = await call('POST', '', { name: 'x', nodes: [nodes[0], { ...nodes[1], config }] })
    assert.deepEqual([status, body.errors[0].pointer], [400, '/nodes/1/config/source'])
    assert.match(body.errors[0].message, /^out: there is no source/)
  })

  it('do nothing for a key that the key may not do itself', async () => {
    const scopes = ['pipelines:write', 'pipelines:read']
    const key = await test.call('POST', '/api/api-keys', { as: 'editor', body: { name: 'k', scopes } })
    const as = { token: key.body.key as string }
    const body = { name: 'sneaky', nodes: nodesFor() }
    const made = await test.call('POST', '/api/pipelines', { as, body })
    assert.deepEqual([made.status, made.body.permission, made.body.nodeId], [403, 'catalog:write', 'out'])
    const id = await make()
    for (const [path, sent] of [
      [`/${id}/duplicate`, { name: 'c' }],
      ['/import', body]
    ] as const) {
      assert.equal(
        (await test.call('POST', `/api/pipelines${path}`, { as, body: sent })).body.permission,
        'catalog:write'
      )
    }
    assert.equal((await test.call('GET', `/api/pipelines/${id}/data`, { as })).body.permission, 'catalog:read')
  })
})
