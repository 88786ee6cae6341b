import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

const panel = {
  id: 'oil',
  title: 'Oil',
  type: 'line',
  query: { sourceId: 'src_a', tags: ['oil'] },
  position: { x: 0, y: 0, w: 12, h: 8 }
}

describe('dashboards', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const create = async (body: object, as: 'editor' | { token: string } = 'editor') =>
    test.call('POST', '/api/dashboards', { as, body })
  const made = async (body: object = {}) => {
    const answer = await create({ name: 'Presses', ...body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }

  it('are made with what is usual where nothing is said', async () => {
    const { id, createdAt, updatedAt, owner, ...rest } = await made({ panels: [panel] })
    assert.match(id, /^dsh_/)
    assert.deepEqual(rest, {
      name: 'Presses',
      description: '',
      folder: '',
      tags: [],
      panels: [panel],
      variables: [],
      timeRange: { from: '-6h', to: 'now' },
      timeZone: 'UTC',
      refreshSeconds: null,
      links: [],
      everyone: 'edit',
      copiedFrom: null,
      mayEdit: true,
      isFavourite: false,
      version: 1
    })
    assert.equal(owner.name, 'editor')
    assert.equal(createdAt, updatedAt)
  })

  it('are refused with a pointer to each thing that is wrong', async () => {
    const p = (changes: object) => ({ panels: [{ ...panel, ...changes }] })
    const v = (...variables: object[]) => ({ variables })
    for (const [body, pointers] of [
      [{ panels: [panel, panel] }, ['/panels/1/id']],
      [p({ position: { x: 20, y: 0, w: 10, h: 1 } }), ['/panels/0/position/w']],
      [p({ query: undefined }), ['/panels/0/query']],
      [p({ type: 'text' }), ['/panels/0/query']],
      [p({ query: { sql: 'SELECT 1' } }), ['/panels/0/query/reference']],
      [p({ query: { reference: 'nowhere', sql: 'SELECT 1' } }), ['/panels/0/query/reference']],
      [p({ query: { sourceId: 'a', sql: 'SELECT 1' } }), ['/panels/0/query/sql']],
      [p({ query: { sourceId: 'a', aggregation: '5 min' } }), ['/panels/0/query/aggregation']],
      [p({ options: { text: 'a', min: 2, max: 1 } }), ['/panels/0/options/text', '/panels/0/options/max']],
      [p({ options: { logarithmic: true, min: 0 } }), ['/panels/0/options/min']],
      [
        p({
          options: {
            thresholds: [
              { value: 2, color: 'red' },
              { value: null, color: 'green' }
            ]
          }
        }),
        ['/panels/0/options/thresholds/1/value']
      ],
      [p({ repeat: { variable: 'line' } }), ['/panels/0/repeat/variable']],
      [p({ timeRange: { from: 'now', to: '-1h' } }), ['/panels/0/timeRange/to']],
      [{ timeRange: { from: 'yesterday', to: 'now' } }, ['/timeRange/from']],
      [{ timeZone: 'Mars/Olympus' }, ['/timeZone']],
      [v({ name: 'from', type: 'constant', value: '1' }), ['/variables/0/name']],
      [
        v({ name: 'a', type: 'constant', value: '1' }, { name: 'A', type: 'constant', value: '1' }),
        ['/variables/1/name']
      ],
      [v({ name: 'a', type: 'list', value: '1' }), ['/variables/0/value', '/variables/0/values']],
      [v({ name: 'a', type: 'list', values: [{ value: '1' }], default: ['2'] }), ['/variables/0/default/0']],
      [
        v({ name: 'a', type: 'list', values: [{ value: '1' }, { value: '2' }], default: ['1', '2'] }),
        ['/variables/0/default']
      ],
      [v({ name: 'a', type: 'query', query: { reference: 'x', sql: 'SELECT 1' } }), ['/variables/0/query/reference']],
      [p({ links: [{ title: 'a', url: 'javascript:alert(1)' }] }), ['/panels/0/links/0/url']],
      [p({ links: [{ title: 'a', url: '//evil.example' }] }), ['/panels/0/links/0/url']],
      [{ folder: 'a//b' }, ['/folder']]
    ] as const) {
      const answer = await create({ name: 'wrong', ...body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(
        answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
        pointers,
        answer.text
      )
    }
  })

  it('are found by name, folder, tag, favourite and what they read', async () => {
    const oil = await made({ name: 'Oil find', folder: 'plant/hall 2', tags: ['find'], panels: [panel] })
    const air = await made({ name: 'Air find', folder: 'plant', tags: ['find', 'air'] })
    await made({ name: 'Other find', folder: 'plantation' })
    const names = async (query: string, as: 'editor' | 'viewer' = 'editor') => {
      const { status, body, text } = await test.call('GET', `/api/dashboards?q=find&${query}`, { as })
      assert.equal(status, 200, text)
      return body.dashboards.map(({ name }: { name: string }) => name)
    }
    assert.deepEqual(await names(''), ['Air find', 'Oil find', 'Other find'])
    assert.deepEqual(await names('folder=plant'), ['Air find', 'Oil find'])
    assert.deepEqual(await names('tag=air'), ['Air find'])
    assert.deepEqual(await names('resource=src_a'), ['Oil find'])
    assert.deepEqual(await names('owner=me', 'viewer'), [])
    const favourite = `/api/dashboards/${air.id}/favourite`
    assert.equal((await test.call('PUT', favourite, { as: 'viewer' })).status, 204)
    assert.equal((await test.call('PUT', favourite, { as: 'viewer' })).status, 204)
    assert.deepEqual(await names('favourite=true', 'viewer'), ['Air find'])
    assert.deepEqual(await names('favourite=true'), [])
    assert.equal((await test.call('DELETE', favourite, { as: 'viewer' })).status, 204)
    assert.deepEqual(await names('favourite=true', 'viewer'), [])
    const { body } = await test.call('GET', '/api/dashboards/folders', { as: 'viewer' })
    assert.deepEqual(
      body.folders.filter(({ folder }: { folder: string }) => folder.startsWith('plant')),
      [
        { folder: 'plant', dashboards: 1 },
        { folder: 'plant/hall 2', dashboards: 1 },
        { folder: 'plantation', dashboards: 1 }
      ]
    )
    assert.equal((await test.call('GET', `/api/dashboards/${oil.id}`, { as: 'viewer' })).body.mayEdit, false)
  })

  it('are private where their owner says so, until they are shared', async () => {
    const other = { token: await test.token('other', 'editor') }
    const otherId = (await test.call('GET', '/api/users/me', { as: other })).body.user.id
    const { id } = await made({ name: 'secret plan', everyone: 'none' })
    const path = `/api/dashboards/${id}`
    const at = (method: string, below = '', body?: object) => test.call(method, path + below, { as: other, body })
    for (const [method, below, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'mine' }],
      ['DELETE', ''],
      ['GET', '/versions'],
      ['GET', '/versions/1'],
      ['GET', '/versions/1/difference'],
      ['POST', '/versions/1/restore'],
      ['GET', '/export'],
      ['GET', '/access'],
      ['PUT', '/access', { everyone: 'edit' }],
      ['POST', '/duplicate', {}],
      ['PUT', '/favourite']
    ] as const) {
      assert.equal((await at(method, below, body)).status, 404, `${method} ${below}`)
    }
    const listed = async () =>
      (await test.call('GET', '/api/dashboards?q=secret', { as: other })).body.dashboards.length
    assert.equal(await listed(), 0)
    const grants = (permission: string) => ({ grants: [{ user: otherId, permission }] })
    const access = (body: object) => test.call('PUT', `${path}/access`, { as: 'editor', body })
    assert.equal((await access(grants('view'))).status, 200)
    assert.equal(await listed(), 1)
    assert.equal((await at('GET')).body.mayEdit, false)
    assert.equal((await at('PUT', '', { name: 'mine' })).body.code, 'not_yours_to_edit')
    assert.equal((await at('PUT', '/access', { everyone: 'edit' })).body.code, 'not_yours_to_edit')
    assert.equal((await access(grants('edit'))).status, 200)
    assert.equal((await at('PUT', '', { name: 'ours' })).status, 200)
    assert.equal((await at('PUT', '/access', { everyone: 'edit' })).body.code, 'not_yours_to_edit')
    assert.equal((await test.call('GET', path, { as: 'viewer' })).status, 404)
    assert.equal((await access({ grants: [{ role: 'viewer', permission: 'edit' }] })).status, 200)
    assert.equal((await test.call('GET', path, { as: 'viewer' })).body.mayEdit, false)
    assert.equal((await test.call('PUT', path, { as: 'viewer', body: { name: 'x' } })).status, 403)
    assert.equal((await access({ grants: [], owner: otherId })).status, 200)
    assert.equal((await test.call('GET', path, { as: 'editor' })).status, 404)
    assert.equal((await test.call('GET', path, { as: 'admin' })).status, 200)
    const wrong = await test.call('PUT', `${path}/access`, {
      as: 'admin',
      body: { owner: 'usr_no', grants: [{ user: 'usr_no', permission: 'view' }, { permission: 'view' }] }
    })
    assert.deepEqual(
      wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/owner', '/grants/0/user', '/grants/1']
    )
  })

  it('are copied, and the copy tells where it is from and what it lacks', async () => {
    const original = await made({ name: 'original', panels: [panel], everyone: 'view' })
    const { status, body } = await test.call('POST', `/api/dashboards/${original.id}/duplicate`, {
      as: 'admin',
      body: {}
    })
    assert.equal(status, 201)
    assert.deepEqual(body.copiedFrom, { id: original.id, name: 'original', version: 1 })
    assert.equal(body.name, 'original (copy)')
    assert.equal(body.owner.name, 'admin')
    assert.deepEqual(body.panels, [panel])
    await test.call('PUT', `/api/dashboards/${body.id}`, { as: 'admin', body: { panels: [] } })
    assert.deepEqual((await test.call('GET', `/api/dashboards/${original.id}`, { as: 'admin' })).body.panels, [panel])
  })

  it('hold up the deletion of what they read, and tell the lineage', async () => {
    const bucket = await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'read-here' } })
    assert.equal(bucket.status, 201, bucket.text)
    const query = { reference: 'object://read-here/a.csv' }
    const { id } = await made({ name: 'reader', everyone: 'none', panels: [{ ...panel, type: 'table', query }] })
    const refused = await test.call('DELETE', '/api/buckets/read-here', { as: 'editor' })
    assert.equal(refused.body.code, 'in_use')
    assert.deepEqual(refused.body.usedBy, [{ type: 'dashboard', id, name: 'a private dashboard' }])
    const reference = encodeURIComponent('object://read-here/a.csv')
    const graph = await test.call('GET', `/api/lineage/downstream/${reference}`, { as: 'viewer' })
    assert.ok(
      graph.body.nodes.some((node: { id: string }) => node.id === `dashboard://${id}`),
      graph.text
    )
    assert.ok(!graph.text.includes('"reader"'))
  })
})
