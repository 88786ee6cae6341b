// Once: what is sealed and shown is the same on every database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { findVersion } from '../store/versions.ts'
import { revealSecrets } from './secrets.ts'

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
    const nodes = revealSecrets(vault, id, row)
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

  it('that are masked make a preview say that a run gives other hashes', async () => {
    const preview = async (salt: string) => {
      const nodes = [
        { id: 'in', type: 'webhook', config: {} },
        { id: 'masked', type: 'mask', config: { columns: { name: 'hash' }, salt }, inputs: ['in'] },
        { id: 'out', type: 'http', config: { url: 'https://x.example' }, inputs: ['masked'] }
      ]
      const { status, body } = await call('POST', '/api/pipelines/preview', {
        nodes,
        samples: { in: [{ name: 'ada' }] }
      })
      assert.equal(status, 200, JSON.stringify(body))
      return body.warnings
    }
    assert.deepEqual(await preview('********'), [
      'masked: the salt is masked, so a run with the stored salt gives other hashes'
    ])
    assert.equal(await preview('pepper'), undefined)
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

  /** What became of masks in these nodes, sent in place of those that were there. */
  async function resend(id: string, nodes: unknown) {
    const { status, body } = await call('PUT', `/api/pipelines/${id}`, { nodes })
    return [status, body.code, body.errors?.map(({ pointer }: { pointer: string }) => pointer)]
  }
  const PASSWORD_OF_IN = '/nodes/0/config/connection/password'
  const HEADER_OF_OUT = '/nodes/1/config/headers/authorization'
  const PLANT_OF_OUT = '/nodes/1/config/headers/x-plant'
  const masked = () => {
    const [source, sink] = nodesWith('********', '********') as unknown as [SentNode, SentNode]
    const { config, ...rest } = sink
    return [
      source,
      { ...rest, config: { ...config, headers: { authorization: '********', 'x-plant': '********' } } }
    ] as [SentNode, SentNode]
  }
  interface SentNode {
    readonly id: string
    readonly type: string
    readonly config: Record<string, unknown>
    readonly inputs?: string[]
  }
  const changed = (node: SentNode, config: object): SentNode => ({ ...node, config: { ...node.config, ...config } })

  it('are asked for anew when they would go to another place, and lost by nobody', async () => {
    const { body } = await call('POST', '/api/pipelines', { name: 'f', nodes: nodesWith(PASSWORD, HEADER) })
    const [source, sink] = masked()
    const to = (more: object) => [changed(source, { connection: { ...connection('********'), ...more } }), sink]
    const thief = changed(sink, { url: 'https://thief.example/' })
    const refused = (pointers: string[]) => [400, 'secret_bound', pointers]
    assert.deepEqual(await resend(body.id, [source, thief]), refused([HEADER_OF_OUT, PLANT_OF_OUT]))
    assert.deepEqual(await resend(body.id, to({ hosts: ['thief.example:1883'] })), refused([PASSWORD_OF_IN]))
    assert.deepEqual(await resend(body.id, to({ hosts: ['broker.example:1884'] })), refused([PASSWORD_OF_IN]))
    assert.deepEqual(await resend(body.id, to({ tls: true })), refused([PASSWORD_OF_IN]))
    assert.deepEqual(await resend(body.id, to({ user: 'eve' })), refused([PASSWORD_OF_IN]))
    const faults = await resend(body.id, [source, changed(thief, { batchRows: 'many' })])
    assert.deepEqual(faults, [400, 'invalid_request', ['/nodes/1/config/batchRows']])
    assert.deepEqual(await known(body.id, 1), [PASSWORD, HEADER])
    const moved = { url: 'https://new.example/', headers: { authorization: LATER, 'x-plant': PLANT } }
    assert.deepEqual(await resend(body.id, [source, changed(sink, moved)]), [200, undefined, undefined])
    assert.deepEqual(await known(body.id, 2), [PASSWORD, LATER])
  })

  it('are not brought back to an address of an earlier version', async () => {
    const { body } = await call('POST', '/api/pipelines', { name: 'g', nodes: nodesWith(PASSWORD, HEADER) })
    const [source, sink] = masked()
    const moved = { url: 'https://new.example/', headers: { authorization: LATER, 'x-plant': PLANT } }
    await resend(body.id, [source, changed(sink, moved)])
    const first = (await call('GET', `/api/pipelines/${body.id}/versions/1`)).body.nodes
    assert.deepEqual(await resend(body.id, first), [400, 'secret_bound', [HEADER_OF_OUT, PLANT_OF_OUT]])
  })

  it('stay where they were: not in copies that are sent elsewhere, other nodes, fields or roles', async () => {
    const { body } = await call('POST', '/api/pipelines', { name: 'h', nodes: nodesWith(PASSWORD, HEADER) })
    const copy = (await call('POST', `/api/pipelines/${body.id}/duplicate`, { name: 'i' })).body
    const [source, sink] = masked()
    const thief = changed(sink, { url: 'https://thief.example/' })
    assert.deepEqual(await resend(copy.id, [source, thief]), [400, 'secret_bound', [HEADER_OF_OUT, PLANT_OF_OUT]])
    const renamed = await resend(body.id, [source, { ...sink, id: 'other' }])
    assert.deepEqual(renamed, [400, 'invalid_request', [HEADER_OF_OUT, PLANT_OF_OUT]])
    const otherField = await resend(body.id, [source, changed(sink, { headers: { 'x-echo': '********' } })])
    assert.deepEqual(otherField, [400, 'invalid_request', ['/nodes/1/config/headers/x-echo']])
    const exported = (await call('GET', `/api/pipelines/${body.id}/export`)).text
    const imported = await call('POST', '/api/pipelines/import', exported.replace('"h"', '"j"'), {
      'content-type': 'application/json'
    })
    assert.deepEqual([imported.status, imported.body.errors.length], [400, 3])
    const { batchRows: _, ...config } = sink.config
    const asSource = [
      { id: 'out', type: 'http', config },
      { id: 'in', type: 'mqtt', config: { connection: connection('********'), topic: 'a' }, inputs: ['out'] }
    ]
    const [status, code] = await resend(body.id, asSource)
    assert.deepEqual([status, code], [400, 'secret_bound'])
  })

  it('stay when the same place is written otherwise', async () => {
    const { body } = await call('POST', '/api/pipelines', { name: 'k', nodes: nodesWith(PASSWORD, HEADER) })
    const [source, sink] = masked()
    const hosts = { connection: { ...connection('********'), hosts: ['BROKER.example.'], tls: false } }
    const nodes = [changed(source, hosts), changed(sink, { url: 'HTTPS://X.Example:443/other?page=1' })]
    assert.deepEqual(await resend(body.id, nodes), [200, undefined, undefined])
    assert.deepEqual(await known(body.id, 2), [PASSWORD, HEADER])
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
