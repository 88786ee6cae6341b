import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSource, writeLines } from '../../../test/support/catalog.ts'
import type { BusEvent } from '../../engines/bus/index.ts'

describe('a write to a name that no source has', () => {
  let test: TestApp
  const events: BusEvent<'catalog-source.created' | 'catalog-source.updated' | 'catalog-source.deleted'>[] = []
  before(async () => {
    test = await startTestApp()
    test.platform.bus.subscribe('catalog-source.*', (event) => events.push(event))
  })
  after(() => test.close())

  const named = async (name: string) => {
    const { body } = await test.call('GET', `/api/catalog/sources?q=${encodeURIComponent(name)}`, { as: 'viewer' })
    return body.sources
  }

  it('makes one, as a change that is told and written down', async () => {
    assert.equal((await writeLines(test, 'telegraf/autogen', 'cpu usage=1 1000')).status, 204)
    const [source, ...others] = await named('telegraf/autogen')
    assert.deepEqual([source.name, source.kind, source.pointCount, others.length], ['telegraf/autogen', 'api', 1, 0])
    const told = events.filter(({ id }) => id === source.id)
    assert.deepEqual(told, [{ type: 'catalog-source.created', id: source.id, name: 'telegraf/autogen' }])
    const { body } = await test.call('GET', `/api/audit/logs?resourceId=${source.id}`, { as: 'admin' })
    const [row, ...more] = body.logs
    assert.deepEqual([row.action, row.user.name, row.changes.name.to], ['catalog-source.create', 'editor', source.name])
    assert.match(row.requestId, /^req_/)
    assert.equal(more.length, 0, 'writes themselves leave no rows')
  })

  it('makes none where no line can be taken', async () => {
    for (const lines of ['garbage', 'cpu usage=', '']) await writeLines(test, 'typo-source', lines)
    assert.deepEqual(await named('typo-source'), [])
    assert.equal((await writeLines(test, 'typo-source', 'garbage')).status, 400)
    assert.equal((await writeLines(test, 'typo-source', 'garbage\ncpu usage=1 1000')).status, 400)
    const [source] = await named('typo-source')
    assert.equal(source.pointCount, 1, 'the good line is kept')
  })

  it('makes one however many come at once', async () => {
    const lines = Array.from({ length: 20 }, (_, n) => `crowd,n=${n} value=${n} 1000`)
    const answers = await Promise.all(lines.map((line) => writeLines(test, 'crowd', line)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204])
    const found = await named('crowd')
    assert.deepEqual([found.length, found[0].pointCount], [1, 20])
  })

  it('goes to the source that has the name now', async () => {
    const id = await makeSource(test, 'moved')
    await writeLines(test, 'moved', 'a value=1 1000')
    await test.call('PUT', `/api/catalog/sources/${id}`, { as: 'editor', body: { name: 'moved away' } })
    await writeLines(test, 'moved', 'a value=1 1000')
    await writeLines(test, id, 'a value=1 2000')
    const counts = (await named('moved')).map(({ name, pointCount }: { name: string; pointCount: number }) => [
      name,
      pointCount
    ])
    assert.deepEqual(counts, [
      ['moved', 1],
      ['moved away', 2]
    ])
  })

  it('needs the right to write', async () => {
    const { status } = await test.call('POST', '/api/v2/write?bucket=forbidden', { as: 'viewer', body: 'a value=1' })
    assert.equal(status, 403)
    assert.deepEqual(await named('forbidden'), [])
  })
})
