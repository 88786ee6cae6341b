import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { type OrdersService, ordersEntry, startOrdersService } from './testing/orders-service.ts'

describe('sources of users', () => {
  let test: TestApp
  let service: OrdersService
  before(async () => {
    service = await startOrdersService()
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
  })
  after(async () => {
    await test.close()
    await service.stop()
  })

  const call = (method: string, path: string, body?: object) =>
    test.call(method, `/api${path}`, { as: 'editor', ...(body && { body }) })

  it('are checked, and what is wrong is told by where it is', async () => {
    const entry = ordersEntry(service.base)
    const wrong = {
      ...entry,
      base: '{host}',
      streams: { orders: { ...entry.streams.orders, paging: { kind: 'pages' } } }
    }
    const { status, body } = await call('POST', '/integration/sources', wrong)
    assert.equal(status, 400)
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer).join(' ')
    assert.match(pointers, /\/streams\/orders\/paging/)
    const endless = await call('POST', '/integration/sources', {
      ...entry,
      settings: { token: { secret: true, pattern: '^(a+)+$' } }
    })
    assert.deepEqual([endless.status, endless.body.errors[0].pointer], [400, '/settings/token/pattern'])
    const shipped = await call('POST', '/integration/sources', { ...entry, id: 'postgres' })
    assert.deepEqual([shipped.status, shipped.body.code], [409, 'name_taken'])
    assert.equal((await test.call('POST', '/api/integration/sources', { as: 'viewer', body: entry })).status, 403)
  })

  it('can’t say what could not be sent, or what means something else already', async () => {
    const entry = ordersEntry(service.base)
    const { orders } = entry.streams
    const cases: [string, object][] = [
      ['/headers/X-Plant', { headers: { 'X-Plant': 'a\r\nX-Other: b' } }],
      ['/headers/Host', { headers: { Host: 'elsewhere.example' } }],
      ['/headers/a b', { headers: { 'a b': 'c' } }],
      ['/streams/orders/path', { streams: { orders: { ...orders, path: '//elsewhere.example/v1' } } }],
      ['/streams/orders/path', { streams: { orders: { ...orders, path: '/v1/{token' } } }],
      ['/streams/orders/query/a', { streams: { orders: { ...orders, query: { a: '{token' } } } }],
      ['/streams/orders/cursor/format', { streams: { orders: { ...orders, cursor: { field: 'a', format: '%Q' } } } }],
      ['/streams/orders/cursor/format', { streams: { orders: { ...orders, cursor: { field: 'a', format: 'day' } } } }],
      ['/settings/constructor', { settings: { ...entry.settings, constructor: {} } }],
      ['/settings/__proto__', { settings: JSON.parse('{"token": {"secret": true}, "__proto__": {}}') }],
      ['/settings/base_url', { settings: { ...entry.settings, base_url: {} } }]
    ]
    for (const [pointer, wrong] of cases) {
      const { status, body } = await call('POST', '/integration/sources', { ...entry, ...wrong })
      assert.equal(status, 400, pointer)
      if (body.code !== 'invalid_request') continue
      assert.deepEqual(
        body.errors.map((error: { pointer: string }) => error.pointer),
        [pointer]
      )
    }
  })

  it('are made from those that are shipped, which stay as they are', async () => {
    const shipped = await call('GET', '/integration/sources/stripe')
    assert.deepEqual([shipped.status, shipped.body.id, shipped.body.own], [200, 'stripe', false])
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? ordersEntry(service.base) : undefined
      const refused = await call(method, '/integration/sources/stripe', body)
      assert.deepEqual([refused.status, refused.body.code], [409, 'shipped_source'])
      assert.match(refused.body.detail, /POST/)
    }
    const driver = await call('GET', '/integration/sources/postgres')
    assert.equal(driver.status, 404)
    assert.match(driver.body.detail, /postgres\/spec/)
    assert.equal((await call('GET', '/integration/sources/nothing')).status, 404)
    assert.equal((await call('DELETE', '/integration/sources/nothing')).status, 404)
    const { own: _, ...entry } = shipped.body
    assert.equal((await call('POST', '/integration/sources', { ...entry, id: 'our-stripe' })).status, 201)
    assert.equal((await call('DELETE', '/integration/sources/our-stripe')).status, 204)
  })

  it('are connected, tested, discovered and read as those that are shipped', async () => {
    const entry = ordersEntry(service.base)
    const made = await call('POST', '/integration/sources', entry)
    assert.deepEqual([made.status, made.body.id, made.body.version], [201, 'our-orders', 1])
    const listed = await call('GET', '/integration/sources?q=our%20orders')
    assert.deepEqual([listed.body.total, listed.body.sources[0].own], [1, true])
    const spec = (await call('GET', '/integration/sources/our-orders/spec')).body
    assert.equal(spec.connectionSpecification.properties.token.writeOnly, true)
    assert.deepEqual(spec.streams, [{ name: 'orders', readable: true, incremental: true, note: null }])

    const refused = { sourceId: 'our-orders', config: { token: 'wrong' } }
    const failed = (await call('POST', '/integration/connections/test', refused)).body
    const step = failed.checks.find(({ ok }: { ok: boolean }) => !ok)
    assert.deepEqual([step.name, step.code, step.pointer], ['authenticate', 'wrong_credentials', '/config/token'])

    const config = { token: 's3cret-orders' }
    const lost = { ...entry, id: 'lost-orders', streams: { orders: { ...entry.streams.orders, records: 'items' } } }
    await call('POST', '/integration/sources', lost)
    const told = (await call('POST', '/integration/connections/test', { sourceId: 'lost-orders', config })).body
    assert.match(told.message, /its answer has no "items", but data/)
    const elsewhere = { sourceId: 'our-orders', config: { ...config, base_url: 'http://127.0.0.1:9' } }
    const policy = (await call('POST', '/integration/connections/test', elsewhere)).body
    assert.deepEqual([policy.success, policy.checks[0].code], [false, 'refused_by_policy'])
    const connector = (await call('POST', '/connectors', { name: 'orders', sourceId: 'our-orders', config })).body
    const tested = (await call('POST', `/connectors/${connector.id}/test`)).body
    assert.ok(tested.success, tested.message)
    assert.equal((await call('POST', `/connectors/${connector.id}/discover`)).body.total, 1)
    const { streams } = (await call('GET', `/connectors/${connector.id}/streams`)).body
    assert.deepEqual([streams[0].keys, streams[0].cursors], [['id'], ['updated_at']])
    const sample = (await call('POST', `/connectors/${connector.id}/read`, { stream: 'orders', limit: 4 })).body
    assert.deepEqual(
      sample.records.map(({ id }: { id: unknown }) => id),
      [1, 2, 3, 4]
    )
    assert.ok(!test.logged.join().includes('s3cret-orders'))
  })

  it('go nowhere else, and stay, while connectors use them', async () => {
    const entry = ordersEntry(service.base)
    const elsewhere = await call('PUT', '/integration/sources/our-orders', { ...entry, base: 'http://127.0.0.1:9' })
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [409, 'in_use'])
    const more = { ...entry, streams: { ...entry.streams, refunds: { path: '/v1/refunds', records: 'data' } } }
    const changed = await call('PUT', '/integration/sources/our-orders', more)
    assert.deepEqual([changed.status, changed.body.version], [200, 2])
    const [{ id: connectorId }] = (await call('GET', '/connectors')).body.connectors
    const kept = service.orders.splice(0)
    const found = (await call('POST', `/connectors/${connectorId}/discover`)).body
    service.orders.push(...kept)
    const notes = found.notes.map(({ name, note }: { name: string; note: string }) => `${name}: ${note}`).join('\n')
    assert.match(notes, /orders: .*no records now\nrefunds: .*nothing at \/v1\/refunds/)
    const { streams } = (await call('GET', `/connectors/${connectorId}/streams`)).body
    const names = streams[0].columns.map(({ name }: { name: string }) => name)
    assert.deepEqual([names, streams[1].readable], [['id', 'updated_at', 'total', '_rest'], true])
    assert.match(streams[1].note, /nothing at/)
    const open = await call('PUT', '/integration/sources/our-orders', { ...more, settings: { token: {} } })
    assert.deepEqual([open.status, open.body.code], [409, 'in_use'])
    const another = await call('PUT', '/integration/sources/our-orders', { ...more, id: 'another' })
    assert.deepEqual([another.status, another.body.errors[0].pointer], [400, '/id'])
    const deleted = await call('DELETE', '/integration/sources/our-orders')
    assert.deepEqual([deleted.status, deleted.body.usedBy[0].type], [409, 'connector'])
    const { connectors } = (await call('GET', '/connectors')).body
    for (const { id } of connectors) await call('DELETE', `/connectors/${id}`)
    assert.equal((await call('DELETE', '/integration/sources/our-orders')).status, 204)
    assert.equal((await call('GET', '/integration/sources/our-orders')).status, 404)
  })
})
