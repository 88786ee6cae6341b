import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

describe('classification levels', () => {
  const path = '/api/classification/levels'
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const names = async (query = '') =>
    (await test.call('GET', `${path}${query}`, { as: 'viewer' })).body.levels.map(({ name }: { name: string }) => name)
  const create = (body: object) => test.call('POST', path, { as: 'admin', body })
  const put = (id: string, body: object, headers = {}) =>
    test.call('PUT', `${path}/${id}`, { as: 'admin', body, headers })

  it('are public, internal, confidential and restricted to begin with, least strict first', async () => {
    const { body } = await test.call('GET', path, { as: 'viewer' })
    assert.deepEqual(
      body.levels.map(({ id, name, rank }: Record<string, unknown>) => [id, name, rank]),
      [
        ['lvl_public', 'public', 10],
        ['lvl_internal', 'internal', 20],
        ['lvl_confidential', 'confidential', 30],
        ['lvl_restricted', 'restricted', 40]
      ]
    )
    assert.deepEqual([body.total, body.nextCursor], [4, null])
    assert.deepEqual(await names('?sort=-name&limit=2'), ['restricted', 'public'])
    assert.deepEqual(await names('?q=RES'), ['restricted'])
  })

  it('can be added, changed and removed by an administrator', async () => {
    const added = await create({ name: 'secret', rank: 35 })
    assert.equal(added.status, 201)
    assert.equal(added.headers.get('location'), `${path}/${added.body.id}`)
    assert.deepEqual([added.body.version, added.body.description], [1, ''])
    assert.deepEqual(await names(), ['public', 'internal', 'confidential', 'secret', 'restricted'])

    const changed = await put(added.body.id, { rank: 45 }, { 'if-match': '"v1"' })
    assert.deepEqual(
      [changed.status, changed.body.name, changed.body.rank, changed.body.version],
      [200, 'secret', 45, 2]
    )
    assert.deepEqual(await names(), ['public', 'internal', 'confidential', 'restricted', 'secret'])
    assert.equal((await put(added.body.id, { rank: 46 }, { 'if-match': '"v1"' })).body.code, 'stale_version')

    assert.equal((await test.call('DELETE', `${path}/${added.body.id}`, { as: 'admin' })).status, 204)
    assert.equal((await names()).length, 4)
    assert.equal((await put(added.body.id, {})).status, 404)
  })

  it('share neither a name nor a rank', async () => {
    for (const body of [
      { name: 'public', rank: 5 },
      { name: 'fresh', rank: 10 }
    ]) {
      const clash = await create(body)
      assert.deepEqual([clash.status, clash.body.code], [409, 'name_taken'])
    }
    const renamed = await put('lvl_public', { name: 'open' })
    assert.deepEqual(renamed.body.errors, [{ pointer: '/name', message: 'can’t be changed' }])
    assert.equal((await put('lvl_public', { rank: 20 })).status, 409)
    assert.deepEqual(await names(), ['public', 'internal', 'confidential', 'restricted'])
    const many = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'race', rank: 99 })))
    assert.deepEqual(many.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
  })

  it('have a plain name and a rank within bounds', async () => {
    const bad = [
      { name: 'Secret', rank: 1 },
      { name: '1st', rank: 1 },
      { name: 'a', rank: 1001 },
      { name: 'a', rank: 1.5 }
    ]
    for (const body of bad) assert.equal((await create(body)).status, 400, JSON.stringify(body))
    const unknown = await create({ name: 'a', rank: 1, colour: 'red' })
    assert.deepEqual(unknown.body.errors, [{ pointer: '/colour', message: 'is not a field of this resource' }])
  })

  it('can’t be removed while something has them', async () => {
    const { id } = (await create({ name: 'held', rank: 50 })).body
    const tag = (columns: string[]) =>
      test.call('POST', '/api/classification/resources', {
        as: 'editor',
        body: { resource: 'pipeline://p', level: 'held', columns }
      })
    const tags = [await tag([]), await tag(['a'])]
    const refused = await test.call('DELETE', `${path}/${id}`, { as: 'admin' })
    assert.deepEqual([refused.status, refused.body.code, refused.body.uses], [409, 'in_use', 2])
    assert.match(refused.body.detail, /^2 resource\(s\) have the level held/)
    for (const { body } of tags) await test.call('DELETE', `/api/classification/resources/${body.id}`, { as: 'admin' })
    assert.equal((await test.call('DELETE', `${path}/${id}`, { as: 'admin' })).status, 204)
  })

  it('never vanish under a resource that is being given them', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = (await create({ name: 'fleeting', rank: 60 })).body
      const body = { resource: `pipeline://p${round}`, level: 'fleeting' }
      const [removed, tagged] = await Promise.all([
        test.call('DELETE', `${path}/${id}`, { as: 'admin' }),
        test.call('POST', '/api/classification/resources', { as: 'editor', body })
      ])
      if (removed.status === 204) assert.deepEqual([tagged.status, tagged.body.errors?.[0].pointer], [400, '/level'])
      else {
        assert.deepEqual([removed.status, tagged.status], [409, 201])
        await test.call('DELETE', `/api/classification/resources/${tagged.body.id}`, { as: 'admin' })
        await test.call('DELETE', `${path}/${id}`, { as: 'admin' })
      }
    }
  })

  it('are for everyone to read and for administrators to change', async () => {
    const calls = [
      ['POST', path, { name: 'a', rank: 1 }],
      ['PUT', `${path}/lvl_public`, { rank: 1 }],
      ['DELETE', `${path}/lvl_public`, undefined]
    ] as const
    for (const [method, url, body] of calls) {
      const refused = await test.call(method, url, { as: 'editor', body })
      assert.deepEqual([refused.status, refused.body.permission], [403, 'classification:admin'])
    }
  })
})
