import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeBucket, put } from '../../../test/support/objects/client.ts'

const PATH = '/api/buckets'

describe('buckets', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const create = (body: object, headers = {}) => test.call('POST', PATH, { as: 'editor', body, headers })
  const remove = (name: string, query = '') => test.call('DELETE', `${PATH}/${name}${query}`, { as: 'editor' })
  const audited = async (query: string) =>
    (await test.call('GET', `/api/audit/logs?sort=time&${query}`, { as: 'admin' })).body.logs

  it('are made with the default provider and shown alike everywhere', async () => {
    const { status, body, headers } = await create({ name: 'plant-reports' })
    assert.equal(status, 201)
    assert.equal(headers.get('location'), '/api/buckets/plant-reports')
    const { creationDate, ...rest } = body
    assert.ok(Math.abs(Date.parse(creationDate) - Date.now()) < 60_000)
    assert.deepEqual(rest, { name: 'plant-reports', providerId: 'sp_builtin', classification: null })
    assert.deepEqual((await test.call('GET', `${PATH}/plant-reports`, { as: 'viewer' })).body, body)
    const { buckets } = (await test.call('GET', `${PATH}?q=plant-rep`, { as: 'viewer' })).body
    assert.deepEqual(buckets, [body])
  })

  const refusedNames: [string, RegExp][] = [
    ['', /3 to 63 characters/],
    ['ab', /3 to 63 characters/],
    ['a'.repeat(64), /3 to 63 characters/],
    ['Upper', /only lower-case letters, digits, dots and hyphens/],
    ['with_underscore', /only lower-case letters, digits, dots and hyphens/],
    ['with space', /only lower-case letters, digits, dots and hyphens/],
    ['a/../b', /only lower-case letters, digits, dots and hyphens/],
    ['b\u00fccher', /only lower-case letters, digits, dots and hyphens/],
    ['-begins', /begin and end with a letter or a digit/],
    ['ends-', /begin and end with a letter or a digit/],
    ['.begins', /begin and end with a letter or a digit/],
    ['two..dots', /two dots in a row/],
    ['dot.-hyphen', /a dot beside a hyphen/],
    ['hyphen-.dot', /a dot beside a hyphen/],
    ['192.168.5.4', /look like an IP address/],
    ['xn--bcher', /begin with xn--/],
    ['sthree-x', /begin with sthree-/],
    ['amzn-s3-demo-x', /begin with amzn-s3-demo-/],
    ['x-s3alias', /end with/],
    ['x--ol-s3', /end with/],
    ['x--x-s3', /end with/],
    ['x.mrap', /end with/]
  ]
  for (const [name, rule] of refusedNames) {
    it(`refuse the name ${JSON.stringify(name.slice(0, 20))} by its rule`, async () => {
      const { status, body } = await create({ name })
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'invalid_request', '/name'])
      assert.match(body.errors[0].message, rule)
    })
  }

  it('take names at the edge of the rules', async () => {
    for (const name of ['abc', 'a'.repeat(63), '1.2.3', 'a.b-c.0', '123']) {
      assert.equal((await create({ name })).status, 201, name)
    }
  })

  it('have names of their own, also when many are made at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'wanted' })))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array(7).fill(409)])
    assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'name_taken')
  })

  it('that are unknown give a 404, whatever is asked of them', async () => {
    const asked = [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/objects'],
      ['GET', '/objects/x'],
      ['DELETE', '/objects/x'],
      ['PUT', '/objects/x'],
      ['GET', '/objects/x/url'],
      ['GET', '/uploads'],
      ['GET', '/links']
    ] as const
    for (const [method, path] of asked) {
      const { status } = await test.call(method, `${PATH}/nowhere${path}`, { as: 'editor' })
      assert.equal(status, 404, `${method} ${path}`)
    }
    for (const [path, body] of [
      ['/deletions', { keys: ['x'] }],
      ['/copies', { key: 'a', fromKey: 'b' }],
      ['/uploads', { key: 'x' }],
      ['/links', { key: 'x' }]
    ] as const) {
      assert.equal((await test.call('POST', `${PATH}/nowhere${path}`, { as: 'editor', body })).status, 404, path)
    }
  })

  it('refuse what is not asked of them, by name', async () => {
    const unknown = await create({ name: 'fields', region: 'x' })
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, '/region'])
    const provider = await create({ name: 'fields', providerId: 'sp_none' })
    assert.deepEqual([provider.status, provider.body.errors[0].pointer], [400, '/providerId'])
    const level = await create({ name: 'fields', classification: 'none' })
    assert.equal(level.status, 400)
    assert.equal((await test.call('GET', `${PATH}/fields`, { as: 'viewer' })).status, 404, 'nothing was made')
    assert.equal((await test.call('GET', `${PATH}?colour=red`, { as: 'viewer' })).status, 400)
    assert.equal((await remove('fields', '?force=perhaps')).status, 400)
  })

  it('are listed in pages, by name, and by provider', async () => {
    const provider = await test.call('POST', '/api/storage/providers', {
      as: 'admin',
      body: { name: 'second disk', type: 'store-local' }
    })
    const providerId = provider.body.id
    for (const n of [3, 1, 2, 5, 4]) await makeBucket(test, `page-${n}`, n % 2 === 0 ? { providerId } : {})
    const list = async (query: string) => (await test.call('GET', `${PATH}?${query}`, { as: 'viewer' })).body
    const names = ({ buckets }: { buckets: { name: string }[] }) => buckets.map(({ name }) => name)
    const first = await list('q=page-&sort=name&limit=2')
    assert.deepEqual([names(first), first.total], [['page-1', 'page-2'], 5])
    await remove('page-3')
    await makeBucket(test, 'page-0')
    const second = await list(`q=page-&sort=name&limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual(names(second), ['page-4', 'page-5'], 'neither repeats nor skips while others come and go')
    assert.equal(second.nextCursor, null)
    assert.deepEqual(names(await list(`sort=-name&providerId=${providerId}`)), ['page-4', 'page-2'])
    assert.deepEqual(names(await list('q=AGE-4')), ['page-4'])
    assert.equal((await list('limit=0')).status, 400)
  })

  it('carry a classification, which goes with them', async () => {
    const { body } = await create({ name: 'secrets', classification: 'restricted' })
    assert.equal(body.classification, 'restricted')
    const resources = async () =>
      (await test.call('GET', '/api/classification/resources?resource=bucket:secrets', { as: 'viewer' })).body.resources
    assert.deepEqual(
      (await resources()).map(({ level }: { level: string }) => level),
      ['restricted']
    )
    const resource = { type: 'bucket', id: 'secrets' }
    await test.call('POST', '/api/classification/resources', { as: 'admin', body: { resource, level: 'internal' } })
    const shown = await test.call('GET', `${PATH}/secrets`, { as: 'viewer' })
    assert.equal(shown.body.classification, 'internal')
    assert.equal((await remove('secrets')).status, 204)
    assert.deepEqual(await resources(), [])
  })

  it('are deleted when empty; with what is in them only by force', { timeout: 120_000 }, async () => {
    await makeBucket(test, 'full')
    const keys = Array.from({ length: 1100 }, (_, n) => `folder-${n % 10}/${n}`)
    while (keys.length > 0) await Promise.all(keys.splice(0, 100).map((key) => put(test, 'full', key, key)))
    const refused = await remove('full')
    assert.deepEqual([refused.status, refused.body.code], [409, 'bucket_not_empty'])
    assert.equal((await remove('full', '?force=false')).status, 409)
    assert.equal((await remove('full', '?force=true')).status, 204)
    assert.equal((await remove('full', '?force=true')).status, 404)
    const rows = await audited('resourceId=full&action=bucket.delete')
    const said = rows.map(({ outcome, code }: { outcome: string; code: string }) => [outcome, code])
    assert.deepEqual(said, [
      ['refused', 'bucket_not_empty'],
      ['refused', 'bucket_not_empty'],
      ['success', null],
      ['refused', 'not_found']
    ])
    assert.equal(rows[2].changes.objectsDeleted.from, 1100, 'what went with it is written down')
    await makeBucket(test, 'full')
    const { body } = await test.call('GET', `${PATH}/full/objects`, { as: 'viewer' })
    assert.deepEqual([body.objects, body.total], [[], 0], 'the new one does not have what the old one had')
  })

  it('are read by viewers, changed by editors and known to nobody else', async () => {
    await makeBucket(test, 'roles')
    assert.equal((await test.call('GET', `${PATH}/roles`, { as: 'viewer' })).status, 200)
    for (const [method, path, body] of [
      ['POST', '', { name: 'x-y-z' }],
      ['DELETE', '/roles', undefined],
      ['PUT', '/roles/objects/x', undefined],
      ['DELETE', '/roles/objects/x', undefined],
      ['POST', '/roles/deletions', { keys: ['x'] }],
      ['POST', '/roles/copies', { key: 'a', fromKey: 'b' }],
      ['POST', '/roles/uploads', { key: 'x' }],
      ['POST', '/roles/links', { key: 'x' }]
    ] as const) {
      const { status, body: answer } = await test.call(method, PATH + path, { as: 'viewer', body })
      assert.deepEqual([status, answer.permission], [403, 'buckets:write'], `${method} ${path}`)
    }
    assert.equal((await test.call('GET', `${PATH}/roles`)).status, 401)
    const nobody = { token: await test.token('nobody') }
    assert.equal((await test.call('GET', `${PATH}/roles`, { as: nobody })).status, 403)
  })

  it('are made once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'bucket-1' }
    const first = await create({ name: 'once' }, headers)
    const again = await create({ name: 'once' }, headers)
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    const other = await create({ name: 'twice' }, headers)
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
    assert.equal((await audited('resourceId=once&action=bucket.create')).length, 1)
  })

  it('of one name on two disks are two', async () => {
    const { body } = await test.call('GET', '/api/storage/providers', { as: 'viewer' })
    const other = body.find(({ name }: { name: string }) => name === 'second disk')
    await makeBucket(test, 'elsewhere', { providerId: other.id })
    assert.equal((await put(test, 'elsewhere', 'x', 'y')).status, 201)
    const removal = await test.call('DELETE', `/api/storage/providers/${other.id}`, { as: 'admin' })
    assert.deepEqual([removal.status, removal.body.code], [409, 'provider_in_use'])
  })
})
