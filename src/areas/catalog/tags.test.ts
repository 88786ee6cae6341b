import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSource, query, writeLines } from '../../../test/support/catalog.ts'

const LINES = [
  'press,line=2 temperature=61.5,running=true 1000',
  'press,line=2 temperature=62.25 2000',
  'counter value=9007199254740993i 1500',
  'counter/of\\ pieces value=12i 1500',
  'note value="all well" 3000'
].join('\n')

describe('tags', () => {
  let test: TestApp
  let id: string
  before(async () => {
    test = await startTestApp()
    id = await makeSource(test, 'plant')
    assert.equal((await writeLines(test, 'plant', LINES)).status, 204)
  })
  after(() => test.close())

  const list = (parameters = '') => test.call('GET', `/api/catalog/sources/${id}/tags?${parameters}`, { as: 'viewer' })
  const at = (name: string, of = id) => `/api/catalog/sources/${of}/tags/${encodeURIComponent(name)}`

  it('appear with the first point, and tell of their points', async () => {
    const { status, body } = await list()
    assert.deepEqual([status, body.sourceId, body.total, body.nextCursor], [200, id, 5, null])
    const names = body.tags.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, [
      'counter',
      'counter/of pieces',
      'note',
      'press.running{line=2}',
      'press.temperature{line=2}'
    ])
    assert.deepEqual(body.tags[4], {
      name: 'press.temperature{line=2}',
      type: 'float',
      unit: null,
      description: '',
      labels: { line: '2' },
      firstSeenAt: '1970-01-01T00:00:01.000Z',
      lastSeenAt: '1970-01-01T00:00:02.000Z',
      lastValue: 62.25,
      pointCount: 2,
      version: 1
    })
    const values = body.tags.map(({ lastValue }: { lastValue: unknown }) => lastValue)
    assert.deepEqual(values, ['9007199254740993', 12, 'all well', true, 62.25])
  })

  it('are found by part of the name, page by page', async () => {
    const { body } = await list('q=PRESS')
    assert.deepEqual([body.total, body.tags.length], [2, 2])
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = (await list(`limit=2${cursor}`)).body
      seen.push(...page.tags.map(({ name }: { name: string }) => name))
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    assert.deepEqual(
      seen,
      (await list()).body.tags.map(({ name }: { name: string }) => name)
    )
    const { nextCursor } = (await list('limit=2')).body
    const other = await list(`q=press&cursor=${nextCursor}`)
    assert.deepEqual([other.status, other.body.errors[0].pointer], [400, '/query/cursor'])
  })

  it('are found by their whole name, whatever is in it', async () => {
    for (const name of ['counter', 'counter/of pieces', 'press.running{line=2}']) {
      const { status, body } = await test.call('GET', at(name), { as: 'viewer' })
      assert.deepEqual([status, body.name], [200, name])
    }
    for (const name of ['count', 'COUNTER', 'counter/', 'press']) {
      assert.equal((await test.call('GET', at(name), { as: 'viewer' })).status, 404, name)
    }
    assert.equal((await test.call('GET', at('counter', 'src_nobody'), { as: 'viewer' })).status, 404)
  })

  it('have a unit and a description that people give them', async () => {
    const name = 'press.temperature{line=2}'
    const change = (body: object, headers = {}) => test.call('PUT', at(name), { as: 'editor', body, headers })
    const changed = await change({ unit: '°C', description: 'Oil' }, { 'if-match': '"v1"' })
    assert.deepEqual([changed.status, changed.body.unit, changed.body.version], [200, '°C', 2], changed.text)
    assert.deepEqual([changed.body.lastValue, changed.body.pointCount], [62.25, 2])
    assert.equal((await change({ unit: 'K' }, { 'if-match': '"v1"' })).status, 412)
    const again = await change({ description: 'Oil, at the pump' })
    assert.deepEqual([again.body.unit, again.body.description, again.body.version], ['°C', 'Oil, at the pump', 3])
    const listed = (await list('q=temperature')).body.tags[0]
    assert.deepEqual(listed, again.body)
    const asked = await query(test, { sourceId: id, tags: [name, 'counter'], startTime: '1970-01-01' })
    assert.deepEqual(
      asked.body.series.map(({ unit }: { unit: string }) => unit),
      ['°C', null]
    )
    const { body } = await test.call('GET', '/api/audit/logs?action=catalog-tag.update', { as: 'admin' })
    const row = body.logs.findLast(({ outcome }: { outcome: string }) => outcome === 'success')
    assert.deepEqual(
      [row.resourceId, row.changes],
      [`${id}/${name}`, { unit: { from: null, to: '°C' }, description: { from: '', to: 'Oil' } }]
    )
  })

  it('refuse what is not theirs to have', async () => {
    const put = (name: string, body: object, as: 'viewer' | 'editor' = 'editor') =>
      test.call('PUT', at(name), { as, body })
    assert.equal((await put('nothing', { unit: 'm' })).status, 404)
    assert.equal((await put('counter', { unit: 'm' }, 'viewer')).status, 403)
    const fixed = await put('counter', { type: 'float' })
    assert.deepEqual([fixed.status, fixed.body.errors[0].message], [400, 'can’t be changed'])
  })

  it('are forgotten with their source', async () => {
    const other = await makeSource(test, 'short-lived')
    await writeLines(test, 'short-lived', 'a value=1 1000')
    assert.equal((await test.call('PUT', at('a', other), { as: 'editor', body: { unit: 'V' } })).status, 200)
    assert.equal((await test.call('DELETE', `/api/catalog/sources/${other}`, { as: 'editor' })).status, 204)
    assert.equal((await test.call('GET', at('a', other), { as: 'viewer' })).status, 404)
    const left = await test.platform.metadata.db
      .selectFrom('catalog_tags')
      .selectAll()
      .where('source_id', '=', other)
      .execute()
    assert.deepEqual(left, [])
  })
})
