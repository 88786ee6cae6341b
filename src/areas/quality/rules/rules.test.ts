import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

const dataset = 'object://lake/people.csv'

describe('quality rules', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
    await world.put('people.csv', 'id,name,age,joined\n1,Ada,36,2026-01-01T00:00:00Z\n2,Bo,,2026-01-02T00:00:00Z\n')
  })
  after(() => world.close())

  const refused = async (rule: object) => {
    const { status, body } = await world.post('rules', { name: 'x', dataset, ...rule })
    assert.equal(status, 400, JSON.stringify(body))
    return body.errors
      .map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`)
      .join('; ')
  }

  it('are made, found, changed and deleted', async () => {
    const body = {
      name: 'has an age',
      dataset,
      type: 'notNull',
      config: { column: 'age' },
      failThreshold: '5%',
      on: ['object']
    }
    const made = await world.post('rules', body)
    assert.equal(made.status, 201, made.text)
    const { id } = made.body
    assert.match(id, /^qr_/)
    assert.deepEqual(
      [made.body.severity, made.body.dimension, made.body.status, made.body.version],
      ['error', 'completeness', null, 1]
    )
    assert.equal((await world.post('rules', body)).body.code, 'name_taken')
    const path = `/api/quality/rules/${id}`
    const change = { severity: 'critical', config: { column: 'name' }, failThreshold: null }
    const headers = { 'if-match': made.headers.get('etag') ?? '' }
    const changed = await world.test.call('PUT', path, { as: 'editor', body: change, headers })
    assert.deepEqual(
      [changed.status, changed.body.severity, changed.body.config],
      [200, 'critical', { column: 'name' }]
    )
    assert.deepEqual([changed.body.failThreshold, changed.body.on, changed.body.version], [null, ['object'], 2])
    const stale = await world.test.call('PUT', path, {
      as: 'editor',
      body: {},
      headers: { 'if-match': made.headers.get('etag') ?? '' }
    })
    assert.equal(stale.status, 412)
    const immutable = await world.test.call('PUT', path, { as: 'editor', body: { type: 'unique' } })
    assert.deepEqual([immutable.status, immutable.body.errors[0].pointer], [400, '/type'])
    assert.deepEqual(
      (await world.get(`rules?dataset=${encodeURIComponent(dataset)}&severity=critical&q=AGE`)).rules.map(
        (rule: { id: string }) => rule.id
      ),
      [id]
    )
    assert.equal((await world.test.call('POST', '/api/quality/rules', { as: 'viewer', body })).status, 403)
    const bucket = await world.test.call('DELETE', '/api/buckets/lake', { as: 'admin' })
    assert.deepEqual([bucket.status, bucket.body.code], [409, 'in_use'])
    assert.equal((await world.test.call('DELETE', path, { as: 'editor' })).status, 204)
    assert.equal((await world.test.call('GET', path, { as: 'viewer' })).status, 404)
  })

  it('are refused with what is wrong, and where', async () => {
    assert.equal(await refused({ type: 'notNull', config: {} }), '/config/column is required for notNull')
    assert.equal(
      await refused({ type: 'notNull', config: { column: 'age', max: 3 } }),
      '/config/max has no meaning for notNull; it takes column, where, sample'
    )
    assert.equal(
      await refused({ type: 'notNull', config: { column: 'agee' } }),
      '/config/column There is no column agee; there is age.'
    )
    assert.match(await refused({ type: 'nothing', config: { column: 'age' } }), /^\/type .*notNull/)
    assert.match(await refused({ type: 'range', config: { column: 'age' } }), /^\/config\/min is required, or max$/)
    assert.match(
      await refused({ type: 'range', config: { column: 'age', min: 2, max: 1 } }),
      /^\/config\/max must not be below min$/
    )
    assert.match(
      await refused({ type: 'range', config: { column: 'age', min: '2026-01-01' } }),
      /^\/config\/min The column age is BIGINT; the bounds must be numbers/
    )
    assert.match(
      await refused({ type: 'freshness', config: { column: 'joined', maxAge: 'long' } }),
      /^\/config\/maxAge must be a whole/
    )
    assert.match(
      await refused({ type: 'rowCount', config: { min: 1 }, failThreshold: 1 }),
      /^\/failThreshold has no meaning for rowCount/
    )
    const both = { type: 'notNull', config: { column: 'age' }, warnThreshold: 1 }
    assert.match(await refused({ ...both, failThreshold: '1%' }), /^\/warnThreshold must count the same/)
    assert.match(await refused({ ...both, failThreshold: 'a few' }), /^\/failThreshold must be a whole number of rows/)
    assert.match(
      await refused({ ...both, on: ['pipeline'] }),
      /^\/on\/0 never happens to object:\/\/; it is for pipeline:\/\//
    )
    assert.match(
      await refused({ type: 'schemaMatches', config: { schemaId: 'sch_none' } }),
      /^\/config\/schemaId names no schema/
    )
    assert.match(
      await refused({ dataset: 'lake/people.csv', ...both }),
      /^\/dataset must start with one of object:\/\//
    )
  })

  it('can be made before their data are there', async () => {
    const rule = { name: 'later', dataset: 'object://lake/later.csv', type: 'range', config: { column: 'x', min: 1 } }
    const { status, body, text } = await world.post('rules', rule)
    assert.equal(status, 201, text)
    const { body: result } = await world.post(`rules/${body.id}/evaluate`)
    assert.deepEqual([result.status, result.reason.code, result.measured], ['notEvaluated', 'no_data', null])
  })

  it('take the right to read the data', async () => {
    const key = { name: 'k', role: 'editor', scopes: ['quality:*'] }
    const { body } = await world.test.call('POST', '/api/api-keys', { as: 'admin', body: key })
    const rule = { name: 'curious', dataset, type: 'notNull', config: { column: 'age' } }
    const answer = await world.test.call('POST', '/api/quality/rules', { as: { token: body.key }, body: rule })
    assert.deepEqual([answer.status, answer.body.permission], [403, 'buckets:read'])
    const id = await world.make(rule)
    assert.equal(
      (await world.test.call('POST', `/api/quality/rules/${id}/evaluate`, { as: { token: body.key } })).status,
      403
    )
    const { body: result } = await world.post(`rules/${id}/evaluate`)
    assert.equal(result.sample.length, 1)
    const seen = await world.test.call('GET', `/api/quality/results/${result.id}`, { as: { token: body.key } })
    assert.deepEqual([seen.body.rowsFailed, seen.body.sample], [1, []])
  })
})
