// Once: what is sealed and shown is the same on every database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { revealSecrets } from './secrets.ts'
import { findVersion } from './store.ts'

const PASSWORD = 'tr0ub4dor-and-3'
const HEADER = 'Bearer s3cret-of-the-header'
const PLANT = 's3cret-of-the-plant'
const LATER = 'another-s3cret'
const SECRETS = [PASSWORD, HEADER, PLANT, LATER]

describe('secrets of pipelines', () => {
  let test: TestApp
  const answers: string[] = []

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await test.call(method, path, { as: 'admin', body, headers })
    answers.push(answer.text)
    return answer
  }

  const connection = (password: string) => ({ hosts: ['broker.example:1883'], user: 'ada', password })
  const nodesWith = (password: string, header: string) => [
    { id: 'in', type: 'mqtt', config: { connection: connection(password), topics: ['a'] } },
    {
      id: 'out',
      type: 'http',
      config: { url: 'https://x.example', headers: { authorization: header, 'x-plant': PLANT } },
      inputs: ['in']
    }
  ]

  async function known(id: string, version: number) {
    const { metadata, vault } = test.platform
    const row = await findVersion(metadata.db, id, version)
    assert.ok(row)
    const nodes = revealSecrets(vault, id, JSON.parse(row.nodes), row.secrets)
    const [source, sink] = nodes as unknown as [
      { config: { connection: { password: string } } },
      { config: { headers: { authorization: string } } }
    ]
    return [source.config.connection.password, sink.config.headers.authorization]
  }

  it('stay with a pipeline through changes and copies, and are never shown', async () => {
    const created = await call('POST', '/api/pipelines', { name: 'a', nodes: nodesWith(PASSWORD, HEADER) })
    assert.equal(created.status, 201, created.text)
    const { id, nodes } = created.body
    assert.equal(nodes[0].config.connection.password, '********')
    assert.deepEqual(await known(id, 1), [PASSWORD, HEADER])
    nodes[1].config.url = 'https://x.example/other'
    assert.equal((await call('PUT', `/api/pipelines/${id}`, { nodes })).status, 200)
    assert.deepEqual(await known(id, 2), [PASSWORD, HEADER])
    assert.equal((await call('PUT', `/api/pipelines/${id}`, { nodes: nodesWith(LATER, '********') })).status, 200)
    assert.deepEqual(await known(id, 3), [LATER, HEADER])
    const copy = await call('POST', `/api/pipelines/${id}/duplicate`, { name: 'b' })
    assert.deepEqual(await known(copy.body.id, 1), [LATER, HEADER])
    for (const path of ['', '/versions', '/versions/1', '/export', '/export?format=yaml']) {
      assert.equal((await call('GET', `/api/pipelines/${id}${path}`)).status, 200)
    }
  })

  it('are not shown by SQL after a mask, which is part of the same statement', async () => {
    for (const q of [
      'current_query()',
      'name.current_query()',
      'pg_catalog."CURRENT_QUERY"()',
      'list_transform([1], lambda x: current_query())[1]'
    ]) {
      const nodes = [
        { id: 'in', type: 'webhook' },
        { id: 'masked', type: 'mask', config: { columns: { name: 'hash' }, salt: PLANT }, inputs: ['in'] },
        { id: 'it', type: 'map', config: { select: { q } }, inputs: ['masked'] },
        { id: 'out', type: 'http', config: { url: 'https://x.example' }, inputs: ['it'] }
      ]
      const { status, body } = await call('POST', '/api/pipelines/preview', {
        nodes,
        samples: { in: [{ name: 'ada' }] }
      })
      assert.equal(status, 400)
      assert.equal(body.errors[0].pointer, '/nodes/2/config/select/q')
      assert.match(body.errors[0].message, /current_query can't be used: it shows the statement that runs/)
    }
  })

  it('are asked for where a mask stands for none, by node and field', async () => {
    const created = await call('POST', '/api/pipelines', { name: 'c', nodes: nodesWith('********', HEADER) })
    assert.deepEqual([created.status, created.body.errors[0].pointer], [400, '/nodes/0/config/connection/password'])
    assert.match(created.body.errors[0].message, /^in: /)
    const text = JSON.stringify({ name: 'd', nodes: nodesWith('********', HEADER) })
    const imported = await call('POST', '/api/pipelines/import', text, { 'content-type': 'application/json' })
    assert.equal(imported.body.errors[0].pointer, '/nodes/0/config/connection/password')
  })

  it('do not follow a node that becomes one of another type', async () => {
    const { body } = await call('POST', '/api/pipelines', { name: 'e', nodes: nodesWith(PASSWORD, HEADER) })
    const [source, sink] = nodesWith('********', '********')
    const moved = { ...source, type: 'nats', config: { connection: connection('********'), topics: ['a'] } }
    const refused = await call('PUT', `/api/pipelines/${body.id}`, { nodes: [moved, sink] })
    const pointers = refused.body.errors?.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual([refused.status, pointers], [400, ['/nodes/0/config/connection/password']], refused.text)
  })

  it('appear in no answer, no line of the log and no row of the audit trail', async () => {
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `/api/audit/logs?limit=1000${cursor}`)
      assert.ok(body.total > 0)
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    const rows = await test.platform.metadata.db.selectFrom('pipeline_versions').selectAll().execute()
    const places = { answers, logged: test.logged, rows: rows.map((row) => JSON.stringify(row)) }
    for (const [place, texts] of Object.entries(places)) {
      assert.ok(texts.length > 0, place)
      for (const secret of SECRETS) assert.ok(!texts.some((text) => text.includes(secret)), `${secret} is in ${place}`)
    }
  })
})
