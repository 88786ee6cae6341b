import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

describe('annotations and rules of a dashboard', () => {
  let test: TestApp
  const clock = new ManualClock()
  before(async () => {
    test = await startTestApp({ clock })
  })
  after(() => test.close())

  const position = { x: 0, y: 0, w: 12, h: 8 }
  const thresholds = [
    { value: null, color: 'green' },
    { value: 80, color: 'red' }
  ]
  const make = async (...panels: object[]) => {
    const { body, status, text } = await test.call('POST', '/api/dashboards', {
      as: 'editor',
      body: { name: 'Hall', panels }
    })
    assert.equal(status, 201, text)
    return `/api/dashboards/${body.id}`
  }

  it('are shown in their time, on one dashboard or on all', async () => {
    const path = await make()
    const other = await make()
    const note = (body: object, as: 'editor' | 'viewer' = 'editor') =>
      test.call('POST', `${path}/annotations`, { as, body })
    const texts = async (at: string, query = '') =>
      (await test.call('GET', `${at}/annotations${query}`, { as: 'viewer' })).body.annotations.map(
        ({ text }: { text: string }) => text
      )
    assert.equal((await note({ text: 'oil changed', from: '-1h' })).status, 201)
    assert.equal(
      (await note({ text: '1.4', kind: 'deployment', from: '-2h', to: '-30m', everywhere: true })).status,
      201
    )
    assert.equal((await note({ text: 'old', from: '-3d' })).status, 201)
    assert.deepEqual(await texts(path), ['1.4', 'oil changed'])
    assert.deepEqual(await texts(path, '?from=-45m&to=now'), ['1.4'])
    assert.deepEqual(await texts(path, '?from=-7d&to=now'), ['old', '1.4', 'oil changed'])
    assert.deepEqual(await texts(other), ['1.4'])
    assert.equal((await note({ text: 'x' }, 'viewer')).status, 403)
    assert.deepEqual((await note({ text: 'x', from: '-1h', to: '-2h' })).body.errors[0].pointer, '/to')
    const { annotations } = (await test.call('GET', `${other}/annotations`, { as: 'viewer' })).body
    const everywhere = `${other}/annotations/${annotations[0].id}`
    const second = { token: await test.token('second', 'editor') }
    assert.equal((await test.call('DELETE', everywhere, { as: second })).status, 403)
    assert.equal((await test.call('DELETE', everywhere, { as: 'editor' })).status, 204)
    assert.deepEqual(await texts(other), [])
  })

  it('are made of panels as alert rules', async () => {
    const query = { sourceId: 'src_a', tags: ['oil', 'press.*'], aggregation: '10m', function: 'max' }
    const path = await make(
      { id: 'oil', title: 'Oil', type: 'line', query, position, options: { unit: '°C', thresholds } },
      { id: 'chosen', title: '', type: 'line', query: { sourceId: '$source' }, position },
      {
        id: 'rows',
        title: 'Rows',
        type: 'stat',
        query: { reference: 'object://b/a.csv', sql: 'SELECT 1 AS value' },
        position
      },
      { id: 'text', title: 'Text', type: 'text', position }
    )
    const rule = (panel: string, body: object = {}, as: 'editor' | 'viewer' = 'editor') =>
      test.call('POST', `${path}/panels/${panel}/alert-rule`, { as, body })
    const made = await rule('oil', { severity: 'critical', annotations: { summary: 'Hot' } })
    assert.equal(made.status, 201, made.text)
    const condition = { sourceId: 'src_a', function: 'max', window: '10m', operator: '>=', threshold: 80 }
    assert.deepEqual(made.body.conditions, [
      { ...condition, tag: 'oil' },
      { ...condition, tag: 'press.*' }
    ])
    assert.deepEqual([made.body.name, made.body.join, made.body.severity], ['Hall: Oil', 'or', 'critical'])
    assert.deepEqual(made.body.annotations, { unit: '°C', summary: 'Hot' })
    assert.deepEqual((await rule('rows')).body.errors[0].pointer, '/threshold')
    const sql = await rule('rows', { threshold: 3, operator: '<' })
    assert.deepEqual(sql.body.condition?.references, { input: 'object://b/a.csv' }, sql.text)
    assert.match((await rule('chosen', { threshold: 1 })).body.detail, /variables/)
    assert.match((await rule('text', { threshold: 1 })).body.detail, /type text/)
    assert.equal((await rule('none')).status, 404)
    assert.equal((await rule('oil', {}, 'viewer')).status, 403)
  })
})
