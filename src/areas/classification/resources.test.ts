import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSource } from '../../../test/support/catalog.ts'
import { makeBucket, put } from '../../../test/support/objects/client.ts'

describe('classified resources', () => {
  const path = '/api/classification/resources'
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const tag = (body: object, headers = {}) => test.call('POST', path, { as: 'editor', body, headers })
  const list = async (query: string) => (await test.call('GET', `${path}?${query}`, { as: 'viewer' })).body

  it('are named by a data reference', async () => {
    const resource = 'object://sales/customers/\u00fc 1.parquet'
    const { status, body, headers } = await tag({ resource, level: 'confidential', reason: 'Personal data' })
    const me = (await test.call('GET', '/api/users/me', { as: 'editor' })).body.user
    assert.equal(status, 201)
    assert.equal(headers.get('location'), `${path}/${body.id}`)
    assert.equal(headers.get('etag'), '"v1"')
    const { warnings: _, ...kept } = body
    const { id, createdAt, updatedAt, ...rest } = kept
    assert.match(id, /^cls_/)
    assert.equal(createdAt, updatedAt)
    assert.deepEqual(rest, {
      resource,
      level: 'confidential',
      columns: [],
      reason: 'Personal data',
      version: 1,
      createdBy: me.id
    })
    const got = await test.call('GET', `${path}/${id}`, { as: 'viewer' })
    assert.deepEqual(got.body, kept)
  })

  it('or by type and id', async () => {
    const { status, body } = await tag({ resource: { type: 'storage-provider', id: 'sp_1' }, level: 'internal' })
    assert.deepEqual([status, body.resource], [201, 'storage-provider:sp_1'])
  })

  it('get another level by the same call, whatever order their columns come in', async () => {
    const resource = 'series://plant/temperature'
    const first = await tag({ resource, level: 'internal', columns: ['b', 'a'], reason: 'old' })
    const again = await tag({ resource, level: 'restricted', columns: ['a', 'b'] })
    assert.deepEqual([first.status, again.status], [201, 200])
    assert.equal(again.body.id, first.body.id)
    assert.deepEqual([again.body.version, again.body.level, again.body.reason], [2, 'restricted', ''])
    assert.deepEqual(again.body.columns, ['a', 'b'])
    assert.equal(again.headers.get('etag'), '"v2"')
    const other = await tag({ resource, level: 'internal', columns: ['a'] })
    assert.equal(other.status, 201, 'other columns are a classification of their own')
    const stale = await tag({ resource, level: 'public', columns: ['a'] }, { 'if-match': '"v7"' })
    assert.deepEqual([stale.status, stale.body.currentEtag], [412, '"v1"'])
    const query = `resourceId=${first.body.id}&sort=time`
    const { logs } = (await test.call('GET', `/api/audit/logs?${query}`, { as: 'admin' })).body
    assert.deepEqual(logs[1].changes, {
      level: { from: 'internal', to: 'restricted' },
      reason: { from: 'old', to: '' }
    })
  })

  it('refuse what names no data, and say what is wrong with it', async () => {
    const bad = [
      'sales/customers',
      'http://x/y',
      'object://sales',
      'object:///x',
      'pipeline://p/x',
      'series://s/',
      'a\nb://c'
    ]
    for (const resource of bad) {
      const { status, body } = await tag({ resource, level: 'internal' })
      assert.deepEqual([status, body.errors?.[0].pointer], [400, '/resource'], resource)
    }
    const long = await tag({ resource: `object://b/${'x'.repeat(2000)}`, level: 'internal' })
    assert.equal(long.status, 400)
    for (const resource of [{ type: 'Dashboard', id: '1' }, { type: 'dashboard' }, { type: 'a', id: '' }, 7, null]) {
      assert.equal((await tag({ resource, level: 'internal' })).status, 400, JSON.stringify(resource))
    }
  })

  it('say how a whole bucket is named, where a reference ends after it', async () => {
    for (const resource of ['object://sales', 'object://sales/']) {
      const { body } = await tag({ resource, level: 'internal' })
      assert.match(body.errors[0].message, /all of the bucket sales are \{"type": "bucket", "id": "sales"\}/)
    }
  })

  it('may be columns that are not there yet, which is said to those alone who may see the data', async () => {
    await makeBucket(test, 'people')
    await put(test, 'people', 'people.csv', 'id,Email\n1,ada@example.org\n')
    const resource = 'object://people/people.csv'
    const warningsOf = async (columns: string[], at = resource) => {
      const { status, body } = await tag({ resource: at, level: 'confidential', columns })
      assert.ok(status < 300)
      return body.warnings
    }
    assert.deepEqual(await warningsOf(['email', 'id']), [])
    const message = `${resource} has no column emial, phone now; the level counts once it has, so look whether the name is meant`
    assert.deepEqual(await warningsOf(['emial', 'email', 'phone']), [{ code: 'no_such_column', message }])
    const none = {
      code: 'nothing_matches',
      message: 'There is no object://people/no.csv yet; the level counts once there is'
    }
    assert.deepEqual(await warningsOf(['email'], 'object://people/no.csv'), [none])
    assert.deepEqual(await warningsOf(['emial'], 'object://people/*.csv'), [])
    await test.call('POST', path, { as: 'admin', body: { resource, level: 'restricted', columns: ['id'] } })
    assert.deepEqual(await warningsOf(['guess']), [])
  })

  it('may be data that are not there yet, which is said', async () => {
    await makeBucket(test, 'there')
    await put(test, 'there', 'a.png', 'no table')
    const sourceId = await makeSource(test, 'a plant')
    const warningsOf = async (resource: unknown) => (await tag({ resource, level: 'internal' })).body.warnings
    for (const [resource, name] of [
      ['object://there/no.csv', 'object://there/no.csv'],
      ['object://nobucket9/a.csv', 'object://nobucket9/a.csv'],
      ['object://nobucket9/**', 'object://nobucket9/**'],
      [{ type: 'bucket', id: 'nobucket9' }, 'bucket nobucket9'],
      ['series://src_none', 'series://src_none'],
      ['series://src_none/tag', 'series://src_none/tag'],
      [{ type: 'catalog-source', id: 'src_none' }, 'catalog-source src_none']
    ] as const) {
      const message = `There is no ${name} yet; the level counts once there is`
      assert.deepEqual(await warningsOf(resource), [{ code: 'nothing_matches', message }])
    }
    for (const resource of [
      'object://there/a.png',
      'object://there/none/*',
      { type: 'bucket', id: 'there' },
      `series://${sourceId}`,
      `series://${sourceId}/tag`,
      { type: 'catalog-source', id: sourceId },
      { type: 'room', id: '7' }
    ]) {
      assert.deepEqual(await warningsOf(resource), [], JSON.stringify(resource))
    }
  })

  it('may be data outside the platform, of which a slip of the pen is said', async () => {
    const resource = 'dataset://snowflake%3A%2F%2Facme/sales.people'
    const { status, body } = await tag({ resource, level: 'confidential', columns: ['mail'] })
    assert.equal(status, 201)
    assert.deepEqual(body.warnings, [
      {
        code: 'nothing_matches',
        message: `The lineage knows of nothing that is made of ${resource} yet; the level counts once it does`
      }
    ])
    for (const wrong of ['dataset://', 'dataset://snowflake', 'datasets://a/b']) {
      const refused = await tag({ resource: wrong, level: 'internal' })
      assert.equal(refused.status, 400)
      assert.match(refused.body.errors[0].message, /dataset:\/\/<namespace>\/<name>/)
    }
  })

  it('refuse a level that does not exist, and columns that are none', async () => {
    const unknown = await tag({ resource: 'pipeline://p', level: 'top-secret' })
    assert.equal(unknown.status, 400)
    assert.deepEqual(unknown.body.errors, [
      {
        pointer: '/level',
        message: "must be the name of a classification level: 'public', 'internal', 'confidential', 'restricted'"
      }
    ])
    for (const columns of [[''], ['a', 'a'], 'a', [1]]) {
      const { status, body } = await tag({ resource: 'pipeline://p', level: 'internal', columns })
      assert.deepEqual([status, body.errors[0].pointer.startsWith('/columns')], [400, true])
    }
  })

  it('are found by resource, by part of it and by level', async () => {
    for (const [name, level] of [
      ['find/b', 'public'],
      ['find/a', 'public'],
      ['Find_c', 'restricted']
    ]) {
      await tag({ resource: `object://${name}/x`, level })
    }
    const found = async (query: string) =>
      (await list(query)).resources.map(({ resource }: { resource: string }) => resource.slice(9, -2))
    assert.deepEqual(await found('q=find'), ['find/b', 'find/a', 'Find_c'])
    assert.deepEqual(await found('q=find&sort=-resource'), ['find/b', 'find/a', 'Find_c'])
    assert.deepEqual(await found('q=d_c'), ['Find_c'])
    assert.deepEqual(await found('q=find&level=restricted'), ['Find_c'])
    assert.deepEqual(await found('resource=object://find/a/x'), ['find/a'])
    assert.deepEqual(await found('resource=object://find'), [])
    const page = await list('q=find&limit=2')
    assert.equal(page.total, 3)
    assert.equal((await list(`q=find&limit=2&cursor=${page.nextCursor}`)).resources.length, 1)
  })

  it('can be freed again', async () => {
    const { body } = await tag({ resource: 'pipeline://gone', level: 'internal' })
    const remove = () => test.call('DELETE', `${path}/${body.id}`, { as: 'editor' })
    assert.equal((await remove()).status, 204)
    assert.equal((await test.call('GET', `${path}/${body.id}`, { as: 'viewer' })).status, 404)
    assert.equal((await remove()).status, 404)
    assert.equal((await tag({ resource: 'pipeline://gone', level: 'internal' })).body.version, 1)
  })

  it('are changed by editors and read by viewers', async () => {
    const body = { resource: 'pipeline://p', level: 'public' }
    const refused = await test.call('POST', path, { as: 'viewer', body })
    assert.deepEqual([refused.status, refused.body.permission], [403, 'classification:write'])
    assert.equal((await test.call('DELETE', `${path}/cls_x`, { as: 'viewer' })).status, 403)
  })

  it('are one row, and lose no change, when many are given a level together', async () => {
    const resource = 'object://race/x'
    const answers = await Promise.all(Array.from({ length: 16 }, () => tag({ resource, level: 'internal' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(15).fill(200), 201])
    const versions = answers.map(({ body }) => body.version)
    assert.deepEqual(
      versions.sort((a, b) => a - b),
      Array.from({ length: 16 }, (_, n) => n + 1)
    )
    const { resources } = await list(`resource=${resource}`)
    assert.deepEqual([resources.length, resources[0].version], [1, 16])
  })

  it('are freed once, when many ask for it together', async () => {
    const { id } = (await tag({ resource: 'object://race/y', level: 'internal' })).body
    const remove = () => test.call('DELETE', `${path}/${id}`, { as: 'editor' })
    const answers = await Promise.all(Array.from({ length: 8 }, remove))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array(7).fill(404)])
  })
})
