import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { data_, job_, LineageWorld } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

const at = (reference: string) => encodeURIComponent(reference)
const identity = (from: string, to: string) => ({ from, to, kind: 'identity' as const })

describe('edges by hand', () => {
  const clock = new ManualClock()
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start({ clock })
  })
  after(() => world.close())

  const draw = (from: string, to: string, more: object = {}) =>
    world.test.call('POST', '/api/lineage/links', { as: 'editor', body: { from, to, ...more } })

  const edgesFrom = async (reference: string, query = '') =>
    (await world.get(`downstream/${at(reference)}${query}`)).edges

  it('hold from when they are drawn until they are deleted, and stay in the past', async () => {
    const begun = clock.iso()
    const answer = await draw(data_('erp'), data_('copy'), { note: 'each quarter' })
    assert.equal(answer.status, 201)
    const { id, version, createdBy } = answer.body
    assert.equal(answer.headers.get('location'), `/api/lineage/links/${id}`)
    assert.equal(version, 1)
    clock.advance(1000)
    const [edge] = await edgesFrom(data_('erp'))
    assert.deepEqual([edge.type, edge.startedAt, edge.endedAt], ['links', begun, null])
    assert.deepEqual([edge.provenance[0].how, edge.provenance[0].who], ['manual', createdBy])
    const ended = clock.iso()
    assert.equal((await world.test.call('DELETE', `/api/lineage/links/${id}`, { as: 'editor' })).status, 204)
    clock.advance(1000)
    assert.deepEqual(await edgesFrom(data_('erp')), [])
    const [past] = await edgesFrom(data_('erp'), `?asOf=${begun}`)
    assert.deepEqual([past.startedAt, past.endedAt], [begun, ended])
    assert.equal((await world.get(`links/${id}`)).endedAt, ended)
    const listed = await world.get(`links?ended=true&from=${at(data_('erp'))}`)
    assert.deepEqual([listed.total, listed.links[0].id], [1, id])
    assert.equal((await world.get(`links?from=${at(data_('erp'))}`)).total, 0)
    const again = await world.test.call('DELETE', `/api/lineage/links/${id}`, { as: 'editor' })
    assert.deepEqual([again.status, again.body.code], [409, 'illegal_transition'])
    assert.equal((await draw(data_('erp'), data_('copy'))).status, 201)
  })

  it('are between data, or data and a job, and between the same two once', async () => {
    const read = await draw(data_('a'), job_('reader'))
    assert.equal(read.status, 201)
    assert.equal((await edgesFrom(data_('a')))[0].type, 'reads')
    assert.equal((await draw(job_('writer'), data_('b'))).status, 201)
    assert.equal((await edgesFrom(job_('writer')))[0].type, 'writes')
    const twice = await draw(data_('a'), job_('reader'))
    assert.deepEqual([twice.status, twice.body.code, twice.body.linkId], [409, 'name_taken', read.body.id])
    const pointerOf = async (from: string, to: string, more?: object) => {
      const { status, body } = await draw(from, to, more)
      return [status, body.errors?.[0].pointer]
    }
    assert.deepEqual(await pointerOf(job_('x'), job_('y')), [400, '/to'])
    assert.deepEqual(await pointerOf(data_('x'), data_('x')), [400, '/to'])
    assert.deepEqual(await pointerOf('nonsense', data_('x')), [400, '/from'])
    assert.deepEqual(await pointerOf(data_('x'), job_('y'), { columns: [identity('a', 'b')] }), [400, '/columns'])
    const nowhere = { columns: [identity('a', 'b'), { from: 'a', to: null, kind: 'masked' }] }
    assert.deepEqual(await pointerOf(data_('x'), data_('y'), nowhere), [400, '/columns/1/to'])
    const viewer = { as: 'viewer' as const, body: { from: data_('x'), to: data_('y') } }
    assert.equal((await world.test.call('POST', '/api/lineage/links', viewer)).status, 403)
  })

  it('have columns that begin and end by themselves', async () => {
    const { body } = await draw(data_('c'), data_('d'), { columns: [identity('x', 'x'), identity('y', 'y')] })
    const [drawn, path] = [clock.now(), `/api/lineage/links/${body.id}`]
    clock.advance(1000)
    const change = (ifMatch: string) =>
      world.test.call('PUT', path, {
        as: 'editor',
        headers: { 'if-match': ifMatch },
        body: { columns: [identity('y', 'y'), { from: 'z', to: null, kind: 'filtered' }] }
      })
    const changed = await change('"v1"')
    assert.deepEqual([changed.status, changed.body.version, changed.headers.get('etag')], [200, 2, '"v2"'])
    assert.equal((await change('"v1"')).status, 412)
    const rows = await world.test.platform.metadata.db
      .selectFrom('lineage_mappings')
      .selectAll()
      .where('job', '=', '')
      .orderBy('from_column')
      .execute()
    const changedMs = clock.now()
    assert.deepEqual(
      rows.map((row) => [row.from_column, row.to_column, row.kind, row.started_ms, row.ended_ms]),
      [
        ['x', 'x', 'identity', drawn, changedMs],
        ['y', 'y', 'identity', drawn, null],
        ['z', '', 'filtered', changedMs, null]
      ]
    )
  })

  it('are left alone by what jobs tell', async () => {
    await draw(data_('old'), job_('etl'), { note: 'it does read this' })
    await world.draw(clock.now(), 'old > etl > out')
    clock.advance(1000)
    await world.draw(clock.now(), 'new > etl > out')
    clock.advance(1000)
    const [edge] = await edgesFrom(data_('old'))
    assert.equal(edge.to, job_('etl'))
    assert.deepEqual(
      edge.provenance.map(({ how }: { how: string }) => how),
      ['manual']
    )
    const service = await world.test.app.service('lineage')
    await world.test.platform.metadata.transaction((tx) =>
      service.removed(tx, job_('etl'), { how: 'captured', who: 'test' })
    )
    clock.advance(1)
    assert.equal((await edgesFrom(data_('old'))).length, 1)
    assert.equal((await edgesFrom(data_('new'))).length, 0)
  })

  it('leave nodes that can be deleted, where nobody else has told of them', async () => {
    const remove = (reference: string, as: 'editor' | 'viewer' = 'editor') =>
      world.test.call('DELETE', `/api/lineage/nodes/${at(reference)}`, { as })
    await world.draw(clock.now(), 'orders > bill > bills')
    const [typo, typing] = [data_('ordres'), job_('bil')]
    const link = await draw(typo, data_('orders'), { columns: [identity('a', 'b')] })
    const other = await draw(typo, typing)
    clock.advance(1000)
    assert.equal((await remove(typo, 'viewer')).status, 403)
    const held = await remove(typo)
    assert.deepEqual([held.status, held.body.code, held.body.usedBy.length], [409, 'in_use', 2])
    assert.ok(held.body.detail.includes(link.body.id))
    for (const { body } of [link, other])
      await world.test.call('DELETE', `/api/lineage/links/${body.id}`, { as: 'editor' })
    for (const reference of [data_('orders'), job_('bill'), data_('bills')]) {
      const told = await remove(reference)
      assert.deepEqual([told.status, told.body.code], [409, 'in_use'], reference)
    }
    for (const reference of [typo, typing]) {
      assert.equal((await remove(reference)).status, 204)
      assert.equal((await remove(reference)).status, 404)
    }
    const past = await edgesFrom(data_('orders'), `?asOf=${link.body.createdAt}`)
    assert.equal(past.length, 2)
    assert.equal((await world.get(`upstream/${at(data_('orders'))}?asOf=${link.body.createdAt}`)).edges.length, 0)
    assert.equal((await world.get(`links?ended=true&from=${at(typo)}`)).total, 0)
    const mappings = await world.test.platform.metadata.db.selectFrom('lineage_mappings').selectAll().execute()
    assert.ok(mappings.every(({ from_column }) => from_column !== 'a'))
  })

  it('are in the audit trail', async () => {
    const { body } = await world.test.call('GET', '/api/audit/logs?limit=100', { as: 'admin' })
    const actions = new Set(body.logs.map(({ action }: { action: string }) => action))
    for (const verb of ['create', 'update', 'delete']) assert.ok(actions.has(`lineage-link.${verb}`), verb)
    assert.ok(actions.has('lineage-node.delete'))
  })
})
