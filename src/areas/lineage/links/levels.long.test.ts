import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { data_, job_, LineageWorld } from '../../../../test/support/lineage-world.ts'
import { hasRows } from '../../../engines/metadata/index.ts'
import type { ColumnMapping, Sighting } from '../sighting.ts'

const object = (key: string) => `object://lake/${key}`
const identity = (column: string) => ({ from: column, to: column, kind: 'identity' })
const masked = (column: string) => ({ from: column, to: column, kind: 'masked' })

describe('levels that have come by a link', () => {
  let world: LineageWorld
  const call = (as: 'editor' | 'admin', method: string, path: string, body?: unknown, headers = {}) =>
    world.test.call(method, `/api/${path}`, { as, headers, ...(body !== undefined && { body }) })
  const made = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await call('admin', method, path, body, headers)
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const draw = async (from: string, to: string, columns: object[] = []): Promise<string> =>
    (await made('POST', 'lineage/links', { from, to, columns })).id
  const followed = () =>
    eventually(async () => !(await hasRows(world.test.platform.metadata.db.selectFrom('classification_marks'))))
  const download = async (key: string) => (await call('editor', 'GET', `buckets/lake/objects/${key}`)).status
  const refused = ({ status, body }: Awaited<ReturnType<typeof call>>, resource: string) =>
    assert.deepEqual([status, body.code, body.resource], [403, 'above_clearance', resource])

  before(async () => {
    world = await LineageWorld.start()
    await made('POST', 'buckets', { name: 'lake' })
    for (const key of ['hand.csv', 'columns.csv', 'far.csv', 'open.csv', 'brought.csv', 'told.csv']) {
      await made('PUT', `buckets/lake/objects/${key}`, 'a\n1\n', { 'content-type': 'text/csv' })
    }
    await made('POST', 'classification/resources', { resource: object('s.csv'), level: 'restricted' })
  })
  after(() => world.close())

  it('are not removed by those who may not see them', async () => {
    const id = await draw(object('s.csv'), object('hand.csv'))
    await followed()
    refused(await call('editor', 'DELETE', `lineage/links/${id}`), object('s.csv'))
    refused(await call('editor', 'PUT', `lineage/links/${id}`, { columns: [masked('a')] }), object('s.csv'))
    assert.equal((await call('editor', 'PUT', `lineage/links/${id}`, { note: 'by hand' })).status, 200)
    await followed()
    assert.equal(await download('hand.csv'), 403)
    assert.equal((await call('admin', 'DELETE', `lineage/links/${id}`)).status, 204)
    await followed()
    assert.equal(await download('hand.csv'), 200)
    assert.equal((await call('editor', 'DELETE', 'lineage/links/lnk_unknown')).status, 404)
  })

  it('are not removed on their way through jobs and data elsewhere', async () => {
    const reads = await draw(object('s.csv'), job_('by hand'))
    const writes = await draw(job_('by hand'), data_('first'))
    const between = await draw(data_('first'), data_('second'), [{ from: null, to: 'a', kind: 'computed' }])
    const last = await draw(data_('second'), object('far.csv'), [identity('a')])
    await followed()
    refused(await call('editor', 'DELETE', `lineage/links/${reads}`), object('s.csv'))
    refused(await call('editor', 'DELETE', `lineage/links/${writes}`), data_('first'))
    refused(await call('editor', 'DELETE', `lineage/links/${between}`), data_('first'))
    refused(await call('editor', 'DELETE', `lineage/links/${last}`), object('far.csv'))
    assert.equal(await download('far.csv'), 403)
  })

  it('are not removed where data elsewhere were given them', async () => {
    const outside = data_('given')
    await made('POST', 'classification/resources', { resource: outside, level: 'restricted' })
    const id = await draw(outside, data_('made of it'))
    await followed()
    refused(await call('editor', 'DELETE', `lineage/links/${id}`), outside)
    assert.equal((await call('admin', 'DELETE', `lineage/links/${id}`)).status, 204)
  })

  it('are none, where anybody may end the link', async () => {
    const id = await draw(object('open.csv'), data_('copy'), [identity('a')])
    assert.equal((await call('editor', 'PUT', `lineage/links/${id}`, { columns: [masked('a')] })).status, 200)
    assert.equal((await call('editor', 'DELETE', `lineage/links/${id}`)).status, 204)
  })

  it('are not removed by others who tell of the columns of a job', async () => {
    const ends = { inputs: [{ reference: object('s.csv') }], outputs: [{ reference: object('told.csv') }] }
    const sighting = (how: 'captured' | 'openlineage', columns: ColumnMapping[]): Sighting => ({
      ...ends,
      job: { reference: job_('etl') },
      run: { id: how, state: 'completed', timeMs: Date.now(), isWhole: true },
      columns,
      provenance: { how, who: 'somebody' }
    })
    const [from, to] = [object('s.csv'), object('told.csv')].map((reference) => ({ reference, column: 'a' })) as [
      ColumnMapping['from'],
      ColumnMapping['to']
    ]
    await world.saw(sighting('captured', []))
    await world.saw(sighting('openlineage', [{ from, to, kind: 'masked' }]))
    await followed()
    assert.equal(await download('told.csv'), 403)
    await world.saw(sighting('captured', [{ from, to, kind: 'masked' }]))
    await followed()
    assert.equal(await download('told.csv'), 200, 'the platform has seen it itself')
  })

  it('are not removed by a file of another server', async () => {
    const id = await draw(object('s.csv'), object('brought.csv'))
    const job = await draw(object('s.csv'), job_('told'))
    await followed()
    const file = (await call('admin', 'GET', 'lineage/backup')).text.trimEnd().split('\n')
    const lineOf = (link: string) => JSON.parse(file.find((line) => line.includes(`"${link}"`)) as string)
    const send = async (as: 'editor' | 'admin', ...lines: object[]) => {
      const body = [file[0], ...[...lines, { type: 'end', lines: 1 }].map((line) => JSON.stringify(line))].join('\n')
      const answer = await call(as, 'POST', 'lineage/import', body, { 'content-type': 'application/x-ndjson' })
      assert.equal(answer.status, 200, answer.text)
      await followed()
      return answer.body
    }
    const line = lineOf(id)
    const ended = { ...line, version: 2, endedAt: new Date(Date.parse(line.createdAt) + 1).toISOString() }
    assert.equal((await send('editor', line)).rejected, 0, 'the same as here')
    const { errors } = await send('editor', ended)
    assert.deepEqual([errors[0].line, /above|may see/.test(errors[0].message)], [2, true], errors[0].message)
    assert.equal((await send('editor', { ...ended, id: 'lnk_other' })).rejected, 1)
    assert.equal(await download('brought.csv'), 403)
    const runs = { type: 'runs', job: job_('told'), how: 'manual', who: 'x', facts: [], runs: [] }
    const run = { id: 'r', startMs: 1, wholeMs: 1, state: 'completed', stateMs: 1, error: null }
    assert.equal((await send('editor', { ...runs, runs: [run] })).rejected, 1)
    assert.equal((await call('admin', 'GET', `lineage/links/${job}`)).body.endedAt, null)
    assert.equal((await send('admin', ended)).rejected, 0)
    assert.equal(await download('brought.csv'), 200)
  })
})
