import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { type EventReader, type ReadEvent, readEvents } from '../../../../test/support/event-reader.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

const SECRET = 'Ann'

describe('whoever follows a dashboard', () => {
  const clock = new ManualClock('2026-03-01T12:00:00.000Z')
  let test: TestApp
  let id: string
  before(async () => {
    test = await startTestApp({ clock })
    await must(test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'shop' } }), 201)
    await write()
    const query = { reference: 'object://shop/sales.csv' }
    const panel = { id: 'people', title: '', type: 'table', query, position: { x: 0, y: 0, w: 12, h: 8 } }
    const body = { name: 'Hall', panels: [panel], refreshSeconds: 1, everyone: 'view' }
    id = (await must(test.call('POST', '/api/dashboards', { as: 'editor', body }), 201)).body.id
  })
  after(() => test.close())

  async function must(answer: Promise<Answer>, status: number): Promise<Answer> {
    const came = await answer
    assert.equal(came.status, status, came.text)
    return came
  }
  let written = 0
  /** The data are others each time, so that there would be something to send. */
  const write = async () => {
    const [body, headers] = [`name,count\n${SECRET},${written++}\n`, { 'content-type': 'text/csv' }]
    await must(test.call('PUT', '/api/buckets/shop/objects/sales.csv', { as: 'editor', body, headers }), 201)
  }
  const person = async (name: string, role: 'viewer' | 'editor' | 'admin') => ({ token: await test.token(name, role) })
  const makeKey = async (as: { token: string }, more: object = {}) =>
    (await must(test.call('POST', '/api/api-keys', { as, body: { name: 'k', ...more } }), 201)).body as {
      id: string
      key: string
    }

  async function follow(token: string): Promise<EventReader> {
    const reader = await readEvents(`${test.url}/api/dashboards/${id}/live`, { authorization: `Bearer ${token}` })
    assert.equal(reader.status, 200)
    let first = await reader.next()
    if (first?.data.status === 'pending') first = await reader.next()
    assert.ok(JSON.stringify(first).includes(SECRET), JSON.stringify(first))
    return reader
  }

  /**
   * Changes the data, lets time pass until the next event comes, and answers it. Little at a time: a reading on a busy machine is
   * not to take minutes of it.
   */
  async function nextOf(reader: EventReader): Promise<ReadEvent | undefined> {
    await write()
    let isThere = false
    const next = reader.next().finally(() => {
      isThere = true
    })
    await eventually(() => {
      if (!isThere) clock.advance(50)
      return isThere
    })
    return next
  }

  async function endsWith(reader: EventReader, event: string, code?: string): Promise<void> {
    const last = await nextOf(reader)
    assert.deepEqual([last?.event, last?.data.code], [event, code])
    assert.equal(await reader.next(), undefined)
  }

  it('gets what changes while nothing else does', async () => {
    const reader = await follow((await person('ann', 'viewer')).token)
    assert.ok(JSON.stringify(await nextOf(reader)).includes(SECRET))
    reader.leave()
  })

  it('is told that the API key was revoked', async () => {
    const { id: keyId, key } = await makeKey(await person('bob', 'viewer'))
    const reader = await follow(key)
    await must(test.call('DELETE', `/api/api-keys/${keyId}`, { as: 'admin' }), 204)
    await endsWith(reader, 'ended', 'invalid_token')
  })

  it('is told that the API key has ended', async () => {
    const expiresAt = new Date(clock.now() + 3000).toISOString()
    const reader = await follow((await makeKey(await person('cid', 'viewer'), { expiresAt })).key)
    clock.advance(3000)
    await endsWith(reader, 'ended', 'invalid_token')
  })

  it('is told that the user is disabled', async () => {
    const dan = await person('dan', 'viewer')
    const reader = await follow(dan.token)
    const { user } = (await test.call('GET', '/api/users/me', { as: dan })).body
    await must(test.call('PUT', `/api/users/${user.id}`, { as: 'admin', body: { disabled: true } }), 200)
    await endsWith(reader, 'ended', 'invalid_token')
  })

  it('is told that the role is gone, and sees what the lesser role may', async () => {
    const resource = { resource: 'object://shop/sales.csv', level: 'confidential', columns: ['name'] }
    const label = await must(test.call('POST', '/api/classification/resources', { as: 'admin', body: resource }), 201)
    const { key } = await makeKey(await person('eve', 'admin'))
    const reader = await follow(key)
    // The provider says now of the owner of the key that she is a viewer, and then that she is nobody.
    await must(test.call('GET', '/api/users/me', { as: await person('eve', 'viewer') }), 200)
    const masked = JSON.stringify((await nextOf(reader))?.data)
    assert.ok(!masked.includes(SECRET) && masked.includes('"masked":["input"]'), masked)
    await must(test.call('GET', '/api/users/me', { as: { token: await test.token('eve') } }), 200)
    await endsWith(reader, 'ended', 'permission_denied')
    await must(test.call('DELETE', `/api/classification/resources/${label.body.id}`, { as: 'admin' }), 204)
  })

  it('is told that the dashboard was taken away, and nothing more', async () => {
    const reader = await follow((await person('fay', 'viewer')).token)
    const access = (everyone: string) =>
      must(test.call('PUT', `/api/dashboards/${id}/access`, { as: 'editor', body: { everyone } }), 200)
    await access('none')
    await endsWith(reader, 'gone')
    await access('view')
  })

  it('gets nothing of data whose level has become stricter', async () => {
    const reader = await follow((await person('gus', 'viewer')).token)
    const resource = { resource: 'object://shop/sales.csv', level: 'restricted' }
    const label = await must(test.call('POST', '/api/classification/resources', { as: 'admin', body: resource }), 201)
    const refused = (await nextOf(reader))?.data
    assert.deepEqual([refused.error?.code, refused.frames], ['above_clearance', []])
    reader.leave()
    await must(test.call('DELETE', `/api/classification/resources/${label.body.id}`, { as: 'admin' }), 204)
  })
})
