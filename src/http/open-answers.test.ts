import assert from 'node:assert/strict'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { postgresUrl } from '../../test/support/database.ts'
import { type EventReader, type ReadEvent, readEvents } from '../../test/support/event-reader.ts'
import { eventually } from '../../test/support/eventually.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { Problem } from '../errors.ts'
import { createAuthenticator, refusedToken } from './authenticate.ts'
import { OpenAnswers } from './open-answers.ts'
import type { Actor } from './permissions.ts'

/** More than a connection buffers on the way. */
const LARGE_BYTES = 64 * 1024 * 1024

describe('what a caller is still being sent', { timeout: 60_000 }, () => {
  const clock = new ManualClock(new Date().toISOString())
  let test: TestApp
  let pipelineId: string

  before(async () => {
    test = await startTestApp({ clock })
    const body = { name: 'readings' }
    assert.equal((await test.call('POST', '/api/buckets', { as: 'editor', body })).status, 201)
    const nodes = [
      { id: 'in', type: 'webhook' },
      { id: 'out', type: 'object', config: { bucket: 'readings', prefix: 'p/', format: 'ndjson' }, inputs: ['in'] }
    ]
    const made = await test.call('POST', '/api/pipelines', { as: 'editor', body: { name: 'p', nodes } })
    assert.equal(made.status, 201, made.text)
    pipelineId = made.body.id
  })
  after(() => test.close())

  async function makeKey(as: { token: string }, more: object = {}): Promise<{ id: string; key: string }> {
    const { status, body } = await test.call('POST', '/api/api-keys', { as, body: { name: 'k', ...more } })
    assert.equal(status, 201)
    return body
  }
  const person = async (name: string) => ({ token: await test.token(name, 'editor') })
  const revoke = async (id: string) => {
    assert.equal((await test.call('DELETE', `/api/api-keys/${id}`, { as: 'admin' })).status, 204)
  }

  /** Follows the log with this key, and waits until the stream is open. */
  async function follow(key: string, app = test): Promise<EventReader> {
    const reader = await readEvents(`${app.url}/api/pipelines/${pipelineId}/logs`, { authorization: `Bearer ${key}` })
    assert.equal(reader.status, 200)
    return reader
  }
  /** Waits for the end of the stream, which says why; earlier lines may come first. */
  async function hasEnded(reader: EventReader, code = 'invalid_token'): Promise<void> {
    let last: ReadEvent | undefined
    for (let event = await reader.next(); event !== undefined; event = await reader.next()) last = event
    assert.deepEqual([last?.event, last?.data.code], ['ended', code])
  }

  /** Whether the reader is still there: a line that is written now reaches it. */
  async function isOpen(reader: EventReader): Promise<void> {
    const { metadata, makeId, bus } = test.platform
    const row = { id: makeId('line'), pipeline_id: pipelineId, run_id: 'run_1', level: 'info' as const }
    const more = { node_id: null, message: 'x', created_at: new Date(clock.now() - 60_000).toISOString() }
    await metadata.transaction((tx) =>
      tx
        .insertInto('pipeline_logs')
        .values({ ...row, ...more })
        .execute()
    )
    bus.publish({ type: 'pipeline-log.written', id: pipelineId })
    let event = await reader.next()
    while (event !== undefined && event.id !== row.id) event = await reader.next()
    assert.ok(event !== undefined, 'it has ended')
  }

  it('ends with the key that was revoked, and with the one that this key was made with', async () => {
    const ada = await person('ada')
    const parent = await makeKey(ada)
    const child = await makeKey({ token: parent.key })
    const other = await makeKey(ada)
    const readers = await Promise.all([parent, child].map(({ key }) => follow(key)))
    const stays = await follow(other.key)
    await revoke(parent.id)
    await Promise.all(readers.map((reader) => hasEnded(reader)))
    await isOpen(stays)
    await revoke(other.id)
    await hasEnded(stays)
  })

  it('ends when the user is disabled', async () => {
    const bob = await person('bob')
    const { key } = await makeKey(bob)
    const readers = [await follow(key), await follow(bob.token)]
    const { id } = (await test.call('GET', '/api/users/me', { as: bob })).body.user
    const change = { as: 'admin' as const, body: { disabled: true } }
    assert.equal((await test.call('PUT', `/api/users/${id}`, change)).status, 200)
    await Promise.all(readers.map((reader) => hasEnded(reader)))
  })

  it('ends when the key expires, and when its owner has lost the right', async () => {
    const eve = await person('eve')
    const expiresAt = new Date(clock.now() + 20_000).toISOString()
    const expiring = await follow((await makeKey(eve, { expiresAt })).key)
    const losing = await follow((await makeKey(eve)).key)
    clock.advance(10_000)
    await isOpen(expiring)
    clock.advance(20_000)
    await hasEnded(expiring)
    await isOpen(losing)
    // The provider says of eve that she has no role any more.
    assert.equal((await test.call('GET', '/api/users/me', { as: { token: await test.token('eve') } })).status, 200)
    clock.advance(10_000)
    await hasEnded(losing, 'permission_denied')
  })

  function send(method: string, path: string, key: string): ClientRequest {
    return request(test.url + path, { method, headers: { authorization: `Bearer ${key}` }, agent: false })
  }

  it('ends in the middle of a download', async () => {
    const { id, key } = await makeKey(await person('ada'))
    const path = '/api/buckets/readings/objects/large'
    const upload = send('PUT', path, key)
    upload.end(Buffer.alloc(LARGE_BYTES))
    const [{ statusCode }] = (await responseTo(upload)) as [IncomingMessage]
    assert.equal(statusCode, 201)
    const download = send('GET', path, key)
    download.end()
    const [response] = (await responseTo(download)) as [IncomingMessage]
    assert.equal(response.statusCode, 200)
    await revoke(id)
    const { promise, resolve } = Promise.withResolvers<void>()
    response.once('close', resolve).on('error', () => {})
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    await promise
    assert.ok(!response.complete && bytes < LARGE_BYTES, `${bytes} bytes came`)
  })

  it('ends in the middle of an upload, of which nothing is kept', async () => {
    const { id, key } = await makeKey(await person('ada'))
    const path = '/api/buckets/readings/objects/half'
    const upload = send('PUT', path, key)
    const ended = Promise.withResolvers<void>()
    upload.once('error', () => ended.resolve()).once('response', () => ended.reject(new Error('it was answered')))
    upload.setHeader('content-length', '1000')
    upload.write(Buffer.alloc(500))
    await eventually(async () => {
      const { lastUsedAt } = (await test.call('GET', `/api/api-keys/${id}`, { as: 'admin' })).body
      assert.notEqual(lastUsedAt, null)
    })
    await revoke(id)
    await ended.promise
    assert.equal((await test.call('GET', path, { as: 'editor' })).status, 404)
  })

  // Only PostgreSQL has several servers; an embedded database has one.
  if (postgresUrl !== undefined) {
    it('ends on another replica within ten seconds', async () => {
      const replica = await startTestApp({ clock, database: test.database })
      try {
        const { id, key } = await makeKey(await person('ada'))
        const reader = await follow(key, replica)
        await revoke(id)
        clock.advance(10_000)
        await hasEnded(reader)
      } finally {
        await replica.app.stop()
        await replica.platform.close()
      }
    })
  }
})

function responseTo(asked: ClientRequest): Promise<[IncomingMessage]> {
  return new Promise((resolve, reject) => {
    asked.once('response', (response) => resolve([response])).once('error', reject)
  })
}

describe('looking at callers again', () => {
  const actor: Actor = { id: 'u', name: 'u', role: 'viewer', scopes: undefined, apiKeyId: undefined }

  it('ends nothing while nobody can be asked, and asks once for all of a token', async () => {
    const clock = new ManualClock()
    let asked = 0
    let found: () => Actor = () => actor
    const authenticator = createAuthenticator(async () => {
      asked += 1
      return found()
    }, clock)
    const open = new OpenAnswers(authenticator, clock)
    let ended = 0
    for (let i = 0; i < 3; i++) {
      const route = { permission: 'pipelines:read' }
      const raw = { socket: { destroy: () => (ended += 1) } }
      open.watch({ token: 't', raw, routeOptions: { config: { route } } } as never, { raw: { once() {} } } as never)
    }
    const lookLater = async () => {
      const before = asked
      clock.advance(5000)
      await eventually(() => assert.equal(asked, before + 1))
      await new Promise(setImmediate)
    }
    await lookLater()
    found = () => {
      throw new Problem('dependency_unavailable')
    }
    await lookLater()
    assert.equal(ended, 0)
    found = () => {
      throw refusedToken('key', 'It was revoked.')
    }
    await lookLater()
    assert.equal(ended, 3)
  })
})
