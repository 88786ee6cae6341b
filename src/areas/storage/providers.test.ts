import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { whenNotBusy } from './checks/testing/results.ts'
import { openCredentials } from './credentials.ts'
import type { ProviderRow } from './migrations.ts'
import { MASK } from './schema.ts'
import * as store from './store.ts'

const path = '/api/storage/providers'
const builtIn = `${path}/sp_builtin`
const secrets = { accessKey: 'AKIAPLANTSTORE', secretKey: 'wJalr+a/very-secret-key' }
const masked = { accessKey: MASK, secretKey: MASK }

describe('storage providers', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const call = (method: string, to: string, body?: unknown, headers: Record<string, string> = {}) =>
    whenNotBusy(() => test.call(method, to, { as: 'admin', body, headers }))
  const create = (name: string, settings: object = {}) =>
    call('POST', path, { name, type: 'store-local', endpoint: 's3.plant.example', credentials: secrets, ...settings })
  const credentialsOf = async (id: string) => {
    const { db } = test.platform.metadata
    const row = await db.selectFrom('storage_providers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return openCredentials(test.platform.vault, row)
  }

  it('begin with one on the server’s own disk, which is the default', async () => {
    const { status, body, headers } = await call('GET', path)
    assert.deepEqual([status, headers.get('x-total-count'), headers.get('link')], [200, '1', null])
    assert.equal(body.length, 1)
    const { id, type, endpoint, port, credentials, isDefault, builtIn } = body[0]
    assert.deepEqual([id, type, endpoint, port], ['sp_builtin', 'store-local', null, null])
    assert.deepEqual([credentials, isDefault, builtIn], [null, true, true])
  })

  it('are made, read, changed and removed', async () => {
    const made = await create('plant', { port: 9000, bucketPrefix: 'plant-' })
    assert.equal(made.status, 201)
    const at = `${path}/${made.body.id}`
    assert.equal(made.headers.get('location'), at)
    const { useTls, pathStyle, bucketPrefix, port, version } = made.body
    assert.deepEqual([useTls, pathStyle, bucketPrefix, port, version], [false, true, 'plant-', 9000, 1])
    assert.deepEqual((await call('GET', at)).body, made.body)
    const changed = await call('PUT', at, { name: 'works', port: 443, useTls: true, credentials: secrets })
    assert.deepEqual([changed.status, changed.body.name, changed.body.version], [200, 'works', 2])
    assert.deepEqual([changed.body.port, changed.body.useTls, changed.body.bucketPrefix], [443, true, 'plant-'])
    assert.equal((await call('DELETE', at)).status, 204)
    for (const method of ['GET', 'DELETE']) assert.equal((await call(method, at)).status, 404)
    assert.equal((await call('PUT', at, { name: 'x' })).status, 404)
    assert.equal((await call('POST', `${at}/test`)).status, 404)
  })

  it('encrypt unless it is a store of one’s own at a port of its own', async () => {
    const shown = async (settings: object) => {
      const { body } = await create(`tls ${JSON.stringify(settings)}`, settings)
      return [body.useTls, body.port, body.pathStyle]
    }
    assert.deepEqual(await shown({}), [true, 443, true])
    assert.deepEqual(await shown({ port: 443 }), [true, 443, true])
    assert.deepEqual(await shown({ useTls: false }), [false, 80, true])
    assert.deepEqual(await shown({ type: 'store-cloud-a', port: 9000 }), [true, 9000, false])
  })

  it('never show their credentials, nor keep them where they could be read', async () => {
    const { body } = await create('sealed')
    assert.deepEqual(body.credentials, masked)
    await call('PUT', `${path}/${body.id}`, { credentials: { ...secrets, secretKey: 'another-hidden-key' } })
    await create('sealed')
    const { db } = test.platform.metadata
    const rows = [await db.selectFrom('storage_providers').selectAll().execute()]
    const files = readdirSync(test.database.folder, { recursive: true, withFileTypes: true })
    const contents = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
    const audit = await call('GET', '/api/audit/logs?limit=100')
    const everything = [JSON.stringify(rows), ...contents, ...test.logged, audit.text].join('\n')
    assert.match(everything, /storage-provider\.create/)
    for (const secret of [...Object.values(secrets), 'another-hidden-key']) assert.ok(!everything.includes(secret))
  })

  it('keep a credential that is sent back masked', async () => {
    const { body } = await create('masks')
    const at = `${path}/${body.id}`
    assert.equal((await call('PUT', at, { region: 'eu-1', credentials: masked })).status, 200)
    assert.deepEqual(await credentialsOf(body.id), secrets)
    await call('PUT', at, { credentials: { accessKey: MASK, secretKey: 'a-later-key' } })
    assert.deepEqual(await credentialsOf(body.id), { ...secrets, secretKey: 'a-later-key' })
    // A form sends back what it has read, with one field changed.
    const { name, endpoint, port, credentials } = (await call('GET', at)).body
    assert.equal((await call('PUT', at, { name, endpoint, port, credentials, region: 'eu-2' })).status, 200)
    assert.deepEqual(await credentialsOf(body.id), { ...secrets, secretKey: 'a-later-key' })
    const refused = await create('nothing to keep', { credentials: masked })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/credentials/accessKey'])
  })

  it('keep a credential only for the server and the account that it was given for', async () => {
    const { body } = await create('bound', { port: 9000 })
    const at = `${path}/${body.id}`
    const both = ['/credentials/accessKey', '/credentials/secretKey']
    const cases: [object, string[]][] = [
      [{ endpoint: 'thief.example' }, both],
      [{ endpoint: 'thief.example', credentials: masked }, both],
      [{ endpoint: 'thief.example', credentials: { ...secrets, accessKey: MASK } }, both.slice(0, 1)],
      [{ endpoint: 'thief.example', credentials: { ...secrets, secretKey: MASK } }, both.slice(1)],
      [{ port: 9001 }, both],
      [{ useTls: true }, both],
      [{ credentials: { accessKey: 'AKIATHIEF', secretKey: MASK } }, both.slice(1)]
    ]
    for (const [change, pointers] of cases) {
      const { status, body: answer } = await call('PUT', at, change)
      const found = answer.errors?.map(({ pointer }: { pointer: string }) => pointer)
      assert.deepEqual([status, answer.code, found], [400, 'secret_bound', pointers], JSON.stringify(change))
    }
    assert.equal((await call('PUT', at, { endpoint: 'S3.Plant.Example.', region: 'eu-1' })).status, 200)
    assert.deepEqual(await credentialsOf(body.id), secrets)
    const { status } = await call('PUT', at, { endpoint: 'moved.example', credentials: secrets })
    assert.equal(status, 200)
    const vendor = await create('vendor', { type: 'store-cloud-a', endpoint: null, region: 'eu-central-1' })
    const elsewhere = await call('PUT', `${path}/${vendor.body.id}`, { region: 'cn-north-1' })
    assert.equal(elsewhere.body.code, 'secret_bound', 'each region has a server of its own')
    const none = await create('nobody', { type: 'store-cloud-c', credentials: null })
    const { body: asked } = await call('PUT', `${path}/${none.body.id}`, { credentials: masked })
    assert.equal(asked.errors?.[0].pointer, '/credentials/accessKey', 'a mask that stands for nothing')
  })

  it('keep their type', async () => {
    const { body } = await create('typed')
    const at = `${path}/${body.id}`
    const refused = await call('PUT', at, { type: 'store-cloud-a' })
    assert.deepEqual([refused.status, refused.body.code], [400, 'provider_type_immutable'])
    assert.equal((await call('PUT', at, { type: 'store-local' })).status, 200)
  })

  it('are refused with what can’t work, by field', async () => {
    const disk = { endpoint: null, credentials: null }
    const cases: [object, string][] = [
      [{ colour: 'red' }, '/colour'],
      [{ type: 'store-cloud-d' }, '/type'],
      [{ endpoint: 'https://s3.plant.example' }, '/endpoint'],
      [{ endpoint: 's3.plant.example:9000' }, '/endpoint'],
      [{ endpoint: 'plant\u0080' }, '/endpoint'],
      [{ port: 65_536 }, '/port'],
      [{ credentials: { ...secrets, token: 'x' } }, '/credentials/token'],
      [{ credentials: null }, '/credentials'],
      [{ ...disk, port: 9000 }, '/port'],
      [{ ...disk, credentials: secrets }, '/credentials'],
      [
        { type: 'store-cloud-b', credentials: { accessKey: 'Not An Account', secretKey: 'x' } },
        '/credentials/accessKey'
      ]
    ]
    for (const [settings, pointer] of cases) {
      const { status, body } = await create('refused', settings)
      assert.deepEqual([status, body.errors?.[0].pointer], [400, pointer], JSON.stringify(settings))
    }
    const { body } = await create('moving')
    const moved = await call('PUT', `${path}/${body.id}`, { endpoint: null, credentials: null })
    assert.deepEqual([moved.status, moved.body.errors[0].pointer], [400, '/endpoint'])
  })

  it('have names of their own', async () => {
    await create('once')
    const again = await create('once')
    assert.deepEqual([again.status, again.body.code], [409, 'name_taken'])
    const { body } = await create('twice')
    assert.equal((await call('PUT', `${path}/${body.id}`, { name: 'once' })).body.code, 'name_taken')
  })

  it('are listed page by page, as a bare array', async () => {
    for (let n = 0; n < 5; n++) await create(`page ${n}`)
    const names: string[] = []
    let next: string | undefined = `${path}?q=page&limit=2&sort=-name`
    while (next !== undefined) {
      const { headers, body } = await call('GET', next)
      assert.equal(headers.get('x-total-count'), '5')
      for (const { name } of body) names.push(name)
      next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(names, ['page 4', 'page 3', 'page 2', 'page 1', 'page 0'])
    assert.equal((await call('GET', `${path}?limit=0`)).status, 400)
    const { body: types } = await call('GET', `${path}/types`)
    assert.deepEqual(types, ['store-local', 'store-cloud-a', 'store-cloud-b', 'store-cloud-c'])
  })

  it('are changed only as they were seen, where If-Match says so', async () => {
    const { body, headers } = await create('matched')
    const at = `${path}/${body.id}`
    const ifMatch = { 'if-match': headers.get('etag') as string }
    assert.equal((await call('PUT', at, { name: 'first' }, ifMatch)).status, 200)
    const second = await call('PUT', at, { name: 'second' }, ifMatch)
    assert.deepEqual([second.status, second.body.code], [412, 'stale_version'])
    assert.equal((await call('DELETE', at, undefined, ifMatch)).status, 412)
    assert.equal((await call('GET', at)).body.name, 'first')
  })

  it('stay while they are the default, hold buckets or come from the configuration', async () => {
    const { body } = await create('kept', { endpoint: null, credentials: null, isDefault: true })
    const at = `${path}/${body.id}`
    const refusal = async (method: string, to: string, change?: object) => {
      const { status, body } = await call(method, to, change)
      return [status, body.code]
    }
    assert.deepEqual(await refusal('DELETE', at), [409, 'provider_is_default'])
    assert.deepEqual(await refusal('PUT', at, { isDefault: false }), [409, 'provider_is_default'])
    assert.deepEqual(await refusal('DELETE', builtIn), [409, 'provider_built_in'])
    assert.deepEqual(await refusal('PUT', builtIn, { region: 'eu-1' }), [409, 'provider_built_in'])
    assert.equal((await call('POST', '/api/buckets', { name: 'holds-it' })).body.providerId, body.id)
    assert.equal((await call('PUT', builtIn, { name: 'Mine', isDefault: true })).body.isDefault, true)
    assert.equal((await call('GET', at)).body.isDefault, false)
    const held = await call('DELETE', at)
    assert.deepEqual([held.status, held.body.code, held.body.buckets], [409, 'provider_in_use', 1])
    await call('DELETE', '/api/buckets/holds-it')
    assert.equal((await call('DELETE', at)).status, 204)
  })

  it('keep the result of a test that ends while they are changed', async () => {
    const { id } = (await create('tested meanwhile')).body
    const { metadata } = test.platform
    const lastTest = { at: '2026-01-01T00:00:00.000Z', success: true, message: 'Everything works.', checks: [] }
    await metadata.transaction(async (tx) => {
      const row = (await store.findProvider(tx, id)) as ProviderRow
      await store.saveTest(tx, id, JSON.stringify(lastTest))
      await store.updateProvider(tx, { ...row, name: 'changed meanwhile' })
    })
    const { body } = await call('GET', `${path}/${id}`)
    assert.deepEqual([body.name, body.lastTest], ['changed meanwhile', lastTest])
  })

  it('are read by viewers and changed by administrators', async () => {
    for (const as of ['viewer', 'editor'] as const) {
      assert.equal((await test.call('GET', path, { as })).status, 200)
      for (const [method, to] of [
        ['POST', path],
        ['POST', `${path}/test`],
        ['POST', `${builtIn}/test`],
        ['PUT', builtIn],
        ['DELETE', builtIn]
      ] as const) {
        const { status, body } = await test.call(method, to, { as, body: {} })
        assert.deepEqual([status, body.permission], [403, 'storage:admin'], `${as} ${method} ${to}`)
      }
    }
  })
})
