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

  it('are deleted with their points and their type, and begin anew', async () => {
    const name = 'flow/of oil{line=2}'
    const other = await makeSource(test, 'typed')
    const points = (value: unknown, time: number) =>
      test.call('POST', `/api/catalog/sources/${other}/points`, { as: 'editor', body: [{ tag: name, time, value }] })
    assert.equal((await points('n/a', 1)).body.accepted, 1)
    assert.equal((await points(5, 2)).body.errors[0].code, 'type_conflict')
    assert.equal((await test.call('PUT', at(name, other), { as: 'editor', body: { unit: 'l/s' } })).status, 200)
    const remove = (as: 'viewer' | 'editor' = 'editor', headers = {}, tag = name) =>
      test.call('DELETE', at(tag, other), { as, headers })
    assert.equal((await remove('viewer')).status, 403)
    const stale = await remove('editor', { 'if-match': '"v1"' })
    assert.deepEqual([stale.status, stale.body.currentEtag], [412, '"v2"'])
    assert.equal((await test.call('GET', at(name, other), { as: 'viewer' })).body.type, 'string')

    const deleted = await remove('editor', { 'if-match': '"v2"' })
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await test.call(method, at(name, other), { as: 'editor' })).status, 404)
    }
    const source = (await test.call('GET', `/api/catalog/sources/${other}`, { as: 'viewer' })).body
    assert.deepEqual([source.tagCount, source.pointCount, source.lastSeenAt], [0, 0, null])
    assert.equal((await points(5, 2)).body.accepted, 1)
    const tag = (await test.call('GET', at(name, other), { as: 'viewer' })).body
    assert.deepEqual([tag.type, tag.unit, tag.version, tag.pointCount, tag.lastValue], ['float', null, 1, 1, 5])
    const asked = await query(test, { sourceId: other, startTime: '1970-01-01' })
    assert.deepEqual(
      asked.body.series.map((each: { tag: string; points: object[] }) => [each.tag, each.points.length]),
      [[name, 1]]
    )

    const audited = await test.call('GET', '/api/audit/logs?action=catalog-tag.delete&sort=time', { as: 'admin' })
    const outcomes = audited.body.logs.map(({ outcome, status }: { outcome: string; status: number }) => [
      outcome,
      status
    ])
    assert.deepEqual(
      outcomes.filter(([outcome]: [string]) => outcome === 'success'),
      [['success', 204]]
    )
    const row = audited.body.logs.find(({ outcome }: { outcome: string }) => outcome === 'success')
    assert.deepEqual([row.resourceType, row.resourceId], ['catalog-tag', `${other}/${name}`])
    assert.deepEqual(
      [row.changes.pointCount, row.changes.type, row.changes.lastValue],
      [{ from: 1 }, { from: 'string' }, undefined]
    )
  })

  it('are not deleted where there are none', async () => {
    const remove = (name: string, of = id) => test.call('DELETE', at(name, of), { as: 'editor' })
    for (const name of ['nothing', 'COUNTER', 'counter/', 'count']) assert.equal((await remove(name)).status, 404, name)
    for (const name of ['counter\0', 'counter\x001']) assert.equal((await remove(name)).status, 400)
    assert.equal((await remove('counter', 'src_nobody')).status, 404)
    assert.equal((await list()).body.total, 5)
    const forced = await test.call('DELETE', `${at('counter')}?force=true`, { as: 'editor' })
    assert.equal(forced.status, 400)
  })

  it('give their type away though retention has left no point of them', async () => {
    const other = await makeSource(test, 'forgetful', { retention: '1d' })
    await writeLines(test, 'forgetful', 'a value="n/a" 1000')
    await (await test.platform.series()).retain(other, Date.now() - 86_400_000)
    assert.equal((await test.call('GET', at('a', other), { as: 'viewer' })).status, 404)
    assert.equal((await test.call('DELETE', at('a', other), { as: 'editor' })).status, 204)
    assert.equal((await writeLines(test, 'forgetful', `a value=1 ${Date.now()}`)).status, 204)
    assert.equal((await test.call('DELETE', at('a', other), { as: 'editor' })).status, 204)
  })

  it('lose what was said of them also where a deletion got no further than the points', async () => {
    const other = await makeSource(test, 'half-done')
    await writeLines(test, 'half-done', 'a value=1 1000')
    assert.equal((await test.call('PUT', at('a', other), { as: 'editor', body: { unit: 'V' } })).status, 200)
    await (await test.platform.series()).dropTag(other, 'a')
    assert.equal((await test.call('DELETE', at('a', other), { as: 'editor' })).status, 204)
    assert.equal((await test.call('DELETE', at('a', other), { as: 'editor' })).status, 404)
    await writeLines(test, 'half-done', 'a value=1 1000')
    assert.equal((await test.call('GET', at('a', other), { as: 'viewer' })).body.unit, null)
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
