import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSource, query, writeLines } from '../../../test/support/catalog.ts'
import { eventually } from '../../../test/support/eventually.ts'
import type { BusEvent } from '../../engines/bus/index.ts'

const PATH = '/api/catalog/sources'

describe('sources', () => {
  let test: TestApp
  const events: BusEvent<'catalog-source.created' | 'catalog-source.updated' | 'catalog-source.deleted'>[] = []
  before(async () => {
    test = await startTestApp()
    test.platform.bus.subscribe('catalog-source.*', (event) => events.push(event))
  })
  after(() => test.close())

  const get = (id: string) => test.call('GET', `${PATH}/${id}`, { as: 'viewer' })
  const put = (id: string, body: object, headers: Record<string, string> = {}) =>
    test.call('PUT', `${PATH}/${id}`, { as: 'editor', body, headers })

  it('are made with what was said, and without points', async () => {
    const body = {
      name: 'press line 2',
      kind: 'agent',
      description: 'Controllers',
      retention: '2y',
      classification: 'internal'
    }
    const made = await test.call('POST', PATH, { as: 'editor', body })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.get('location'), `${PATH}/${made.body.id}`)
    const { id, createdAt, updatedAt, ...rest } = made.body
    assert.match(id, /^src_/)
    assert.equal(createdAt, updatedAt)
    const figures = { tagCount: 0, pointCount: 0, firstSeenAt: null, lastSeenAt: null }
    assert.deepEqual(rest, { ...body, ...figures, version: 1 })
    assert.deepEqual((await get(id)).body, made.body)
    const bare = await test.call('POST', PATH, { as: 'editor', body: { name: 'bare' } })
    const { kind, description, retention, classification } = bare.body
    assert.deepEqual([kind, description, retention, classification], ['api', '', null, null])
  })

  it('are refused with the field at fault', async () => {
    await makeSource(test, 'taken')
    const taken = await test.call('POST', PATH, { as: 'editor', body: { name: 'taken' } })
    assert.deepEqual([taken.status, taken.body.code], [409, 'name_taken'])
    for (const [body, pointer] of [
      [{ name: 'x', retention: '30' }, '/retention'],
      [{ name: 'x', retention: '-30d' }, '/retention'],
      [{ name: 'x', retention: 'for ever' }, '/retention'],
      [{ name: 'x', classification: 'nobody-knows' }, '/classification'],
      [{ name: 'x', kind: 'robot' }, '/kind'],
      [{ name: ' x' }, '/name'],
      [{ name: 'x', tagCount: 3 }, '/tagCount']
    ] as const) {
      const { status, body: problem } = await test.call('POST', PATH, { as: 'editor', body })
      assert.deepEqual([status, problem.errors?.[0]?.pointer], [400, pointer], JSON.stringify(body))
    }
    assert.equal((await get('src_nobody')).status, 404)
  })

  it('count what is written to them, without their version moving', async () => {
    const id = await makeSource(test, 'counted')
    const fresh = await get(id)
    assert.equal((await writeLines(test, 'counted', 'a value=1 1000\na value=2 2000\nb value=3 1500')).status, 204)
    const { body } = await get(id)
    const { tagCount, pointCount, firstSeenAt, lastSeenAt, version } = body
    assert.deepEqual([tagCount, pointCount, version], [2, 3, 1])
    assert.deepEqual([firstSeenAt, lastSeenAt], ['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:02.000Z'])
    const again = await test.call('GET', `${PATH}/${id}`, {
      as: 'viewer',
      headers: { 'if-none-match': fresh.headers.get('etag') as string }
    })
    assert.deepEqual([again.status, again.body.pointCount], [200, 3])
  })

  it('are listed by name or age, by part of the name and by kind, with their figures', async () => {
    const ids = new Map<string, string>()
    for (const [name, kind] of [
      ['list c', 'agent'],
      ['list a', 'api'],
      ['list B', 'agent']
    ] as const) {
      ids.set(name, await makeSource(test, name, { kind }))
    }
    await writeLines(test, 'list a', 'x value=1 5000')
    const names = async (parameters: string) => {
      const { body } = await test.call('GET', `${PATH}?${parameters}`, { as: 'viewer' })
      return body.sources.map(({ name }: { name: string }) => name)
    }
    assert.deepEqual(await names('q=LIST'), ['list B', 'list a', 'list c'])
    assert.deepEqual(await names('q=list&sort=createdAt'), ['list c', 'list a', 'list B'])
    assert.deepEqual(await names('q=list&kind=agent&sort=-name'), ['list c', 'list B'])
    const first = await test.call('GET', `${PATH}?q=list&limit=2`, { as: 'viewer' })
    assert.deepEqual([first.body.total, first.body.sources[1].pointCount], [3, 1])
    assert.deepEqual(await names(`q=list&limit=2&cursor=${first.body.nextCursor}`), ['list c'])
  })

  it('change in the fields that were sent, if nobody else was faster', async () => {
    const id = await makeSource(test, 'before', { classification: 'internal' })
    await writeLines(test, 'before', 'a value=1 1000')
    const changed = await put(id, { name: 'after', classification: 'confidential' }, { 'if-match': '"v1"' })
    assert.deepEqual([changed.status, changed.body.name, changed.body.version], [200, 'after', 2], changed.text)
    assert.deepEqual([changed.body.classification, changed.body.pointCount], ['confidential', 1])
    assert.equal((await put(id, { name: 'again' }, { 'if-match': '"v1"' })).status, 412)
    assert.equal((await put(id, { classification: null })).body.classification, null)
    assert.equal((await get(id)).body.classification, null)
    const fixed = await put(id, { pointCount: 5 })
    assert.deepEqual([fixed.status, fixed.body.errors[0].message], [400, 'can’t be changed'])
    await makeSource(test, 'other')
    assert.equal((await put(id, { name: 'other' })).body.code, 'name_taken')
    assert.equal((await put('src_nobody', { name: 'x' })).status, 404)
    // The old name is free for another source from the next write on.
    assert.equal((await writeLines(test, 'before', 'a value=1 1000')).status, 204)
    const { body } = await test.call('GET', `${PATH}?q=before`, { as: 'viewer' })
    assert.notEqual(body.sources[0].id, id)
  })

  it('forget what is older than their retention', async () => {
    const id = await makeSource(test, 'forgetful')
    const nowMs = Date.now()
    await writeLines(test, 'forgetful', `a value=1 ${nowMs - 10 * 86_400_000}\na value=2 ${nowMs - 3600_000}`)
    const values = async () => {
      const { body } = await query(test, { sourceId: id, startTime: '-30d' })
      return (body.series[0]?.points ?? []).map(({ value }: { value: number }) => value)
    }
    assert.deepEqual(await values(), [1, 2])
    assert.equal((await put(id, { retention: '2d' })).status, 200)
    await eventually(async () => (await values()).length === 1)
    assert.deepEqual(await values(), [2])
  })

  it('take their points with them, and tell how many', async () => {
    const id = await makeSource(test, 'gone', { classification: 'internal' })
    await writeLines(test, 'gone', 'a value=1 1000\nb value=2 2000')
    const stale = { 'if-match': '"v9"' }
    assert.equal((await test.call('DELETE', `${PATH}/${id}`, { as: 'editor', headers: stale })).status, 412)
    assert.equal((await test.call('DELETE', `${PATH}/${id}`, { as: 'editor' })).status, 204)
    assert.equal((await get(id)).status, 404)
    assert.equal((await test.call('DELETE', `${PATH}/${id}`, { as: 'editor' })).status, 404)
    const series = await test.platform.series()
    await eventually(async () => (await series.stats([id])).size === 0)
    assert.equal((await writeLines(test, id, 'a value=1 1000')).status, 404, 'its identifier makes no source')
    const trail = await test.call('GET', `/api/audit/logs?resourceId=${id}&action=catalog-source.delete`, {
      as: 'admin'
    })
    const [, row] = trail.body.logs
    assert.deepEqual([row.outcome, row.changes.pointCount.from], ['success', 2], trail.text)
    const { body } = await test.call('GET', `/api/classification/resources?resource=series://${id}`, { as: 'viewer' })
    assert.equal(body.total, 0)
  })

  it('are read by viewers and changed by editors, and others hear of it', async () => {
    const refused = await test.call('POST', PATH, { as: 'viewer', body: { name: 'x' } })
    assert.deepEqual([refused.status, refused.body.permission], [403, 'catalog:write'])
    const id = await makeSource(test, 'told')
    await put(id, { name: 'told again' })
    await test.call('DELETE', `${PATH}/${id}`, { as: 'editor' })
    const types = events.filter((event) => event.id === id).map(({ type }) => type)
    assert.deepEqual(types, ['catalog-source.created', 'catalog-source.updated', 'catalog-source.deleted'])
  })
})
