// Once: connections that break, on the disk.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { get, makeBucket, objectPath, put, send, tokenOf } from '../../../test/support/objects/client.ts'
import { leftovers } from '../../../test/support/objects/leftovers.ts'
import { RawSocket } from '../../../test/support/objects/raw-socket.ts'
import { pattern } from '../../engines/objects/testing/bodies.ts'

const BUCKET = 'broken'
const LIMIT_BYTES = 4_000_000
const OLD = pattern(900_000)
const NEW = pattern(2_500_000)
const HANG_UPS = 15
/** How long the rest of a refused body may still arrive. */
const LINGER_MS = 5000

describe('an upload that is broken off', () => {
  let test: TestApp
  const clock = new ManualClock()
  let authorization: string

  before(async () => {
    test = await startTestApp({ clock: clock, env: { MAX_OBJECT_BYTES: String(LIMIT_BYTES) } })
    await makeBucket(test, BUCKET)
    await put(test, BUCKET, 'k', OLD)
    authorization = `Bearer ${await tokenOf(test, 'editor')}`
  })
  after(() => test.close())

  const formOf = (content: Buffer, keyFirst: boolean) => {
    const key = '--xx\r\nContent-Disposition: form-data; name="key"\r\n\r\nk\r\n'
    const file = '--xx\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    const parts = keyFirst ? [key, file, content, '\r\n'] : [file, content, '\r\n', key]
    return Buffer.concat([...parts, '--xx--\r\n'].map((part) => Buffer.from(part)))
  }
  const ways: [string, string, string, string, Buffer][] = [
    ['as it is', 'PUT', objectPath(BUCKET, 'k'), 'text/plain', NEW],
    ['in a form', 'POST', `/api/buckets/${BUCKET}/objects`, 'multipart/form-data; boundary=xx', formOf(NEW, true)],
    [
      'in a form with the key behind',
      'POST',
      `/api/buckets/${BUCKET}/objects`,
      'multipart/form-data; boundary=xx',
      formOf(NEW, false)
    ]
  ]
  /** Counts the audit rows; requests refused because of overload have rows too, and do not matter here. */
  const attempts = async () => (await send(test, 'GET', '/api/audit/logs?action=object.create', { as: 'admin' })).body

  for (const [how, method, path, type, body] of ways) {
    it(`${how}, anywhere, leaves the old object whole and nothing else, and is written down`, async () => {
      const before = (await attempts()).total
      let seen = 0
      const see = (request: IncomingMessage) => {
        if (request.method === method) seen++
      }
      test.app.http.server.on('request', see)
      for (let n = 0; n < HANG_UPS; n++) {
        const end = [1, body.length - 1, body.length - 5][n] ?? randomInt(1, body.length)
        const isChunked = n % 2 === 1
        const client = await RawSocket.open(test.url)
        const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }
        await client.head(method, path, { authorization, 'content-type': type, ...length })
        const sent = body.subarray(0, end)
        if (isChunked) await client.write(`${sent.length.toString(16)}\r\n`)
        await client.write(sent)
        // Bytes that the server has not read by then are lost with a reset.
        await eventually(() => seen === n + 1)
        client.hangUp()
        await eventually(async () => assert.equal((await attempts()).total - before, n + 1))
      }
      test.app.http.server.off('request', see)
      const rows = (await attempts()).logs.slice(0, HANG_UPS) as { outcome: string; code: string; status: number }[]
      const broken = rows.filter(({ code }) => code !== 'overloaded')
      assert.ok(broken.length > 0)
      for (const { outcome, code, status } of broken) {
        assert.deepEqual([outcome, code, status], ['refused', 'body_incomplete', 400])
      }
      assert.ok((await get(test, BUCKET, 'k')).bytes.equals(OLD))
      await eventually(() => assert.deepEqual(leftovers(test.database.folder, 1), []))
    })
  }

  it('because it hardly goes on is told so, and leaves nothing', async () => {
    const client = await RawSocket.open(test.url)
    await client.head('PUT', objectPath(BUCKET, 'trickled'), { authorization, 'content-length': 1_000_000 })
    await eventually(async () => {
      clock.advance(10_000)
      if (client.status === undefined) await client.write('x')
      return client.status !== undefined
    })
    assert.equal(client.status, 408)
    await client.problem()
    client.hangUp()
    assert.equal((await get(test, BUCKET, 'trickled')).status, 404)
    await eventually(() => assert.deepEqual(leftovers(test.database.folder, 1), []))
  })

  it('is none that goes on slowly', async () => {
    const client = await RawSocket.open(test.url)
    const piece = 40_000
    await client.head('PUT', objectPath(BUCKET, 'slow'), { authorization, 'content-length': 5 * piece })
    const seen = once(test.app.http.server, 'request').then(([request]) => (request as IncomingMessage).socket)
    for (let n = 1; n <= 5; n++) {
      await client.write('x'.repeat(piece))
      if (n === 5) break
      await eventually(async () => (await seen).bytesRead >= n * piece)
      clock.advance(59_000)
    }
    await eventually(() => client.status === 201)
    client.hangUp()
    assert.equal((await send(test, 'DELETE', objectPath(BUCKET, 'slow'), { as: 'editor' })).status, 204)
  })

  it('before anything of it came is no object either', async () => {
    const client = await RawSocket.open(test.url)
    const seen = once(test.app.http.server, 'request')
    await client.head('PUT', objectPath(BUCKET, 'never'), { authorization, 'content-length': 5 })
    await seen
    client.hangUp()
    await eventually(async () => assert.match((await attempts()).logs[0].code, /body_incomplete|overloaded/))
    assert.equal((await get(test, BUCKET, 'never')).status, 404)
  })

  const refused: [string, number, string, string, Record<string, string | number>][] = [
    ['without a token', 401, 'PUT', objectPath(BUCKET, 'k'), { authorization: 'Bearer x' }],
    ['to no bucket', 404, 'PUT', objectPath('nowhere', 'k'), {}],
    ['to no bucket, by form', 404, 'POST', '/api/buckets/nowhere/objects', {}],
    ['of a size that is announced', 413, 'PUT', objectPath(BUCKET, 'k'), { 'content-length': 50_000_000 }],
    ['of a size that is not', 413, 'PUT', objectPath(BUCKET, 'k'), {}],
    ['of a form that is too large', 413, 'POST', `/api/buckets/${BUCKET}/objects`, {}]
  ]
  for (const [what, status, method, path, headers] of refused) {
    it(`because it is refused (${what}) hears why while it still sends`, { timeout: 60_000 }, async () => {
      const length = 'content-length' in headers ? {} : { 'transfer-encoding': 'chunked' }
      const isForm = method === 'POST'
      const type = isForm ? 'multipart/form-data; boundary=xx' : 'text/plain'
      const piece = pattern(100_000)
      const framed = (bytes: Buffer) =>
        'content-length' in headers
          ? bytes
          : Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
      let client: RawSocket
      do {
        client = await RawSocket.open(test.url)
        await client.head(method, path, { authorization, 'content-type': type, ...length, ...headers })
        if (isForm) await client.write(framed(formOf(Buffer.alloc(0), true).subarray(0, -10)))
        for (let sentBytes = 0; sentBytes < 49_000_000 && client.status === undefined; sentBytes += piece.length) {
          if (client.socket.destroyed) break
          await client.write(framed(piece))
        }
        await eventually(() => client.status !== undefined)
      } while (client.status === 503)
      assert.equal(client.status, status)
      // The sender may go on for a while, and is not cut off while it reads.
      await client.write(framed(piece))
      await client.problem()
      client.hangUp()
      assert.ok((await get(test, BUCKET, 'k')).bytes.equals(OLD))
      await eventually(() => assert.deepEqual(leftovers(test.database.folder, 1), []))
    })
  }

  for (const [what, status, method, path] of refused.filter(([what]) => what !== 'without a token')) {
    it(`because it is refused (${what}) can be followed by another on the same connection`, async () => {
      const client = await RawSocket.open(test.url)
      const content = Buffer.alloc(LIMIT_BYTES + 1_000_000)
      const body = method === 'POST' ? formOf(content, true) : content
      const type = method === 'POST' ? 'multipart/form-data; boundary=xx' : 'text/plain'
      const isAnnounced = what.includes('announced')
      const length = isAnnounced ? { 'content-length': body.length } : { 'transfer-encoding': 'chunked' }
      await client.head(method, path, { authorization, 'content-type': type, ...length })
      if (!isAnnounced) await client.write(`${body.length.toString(16)}\r\n`)
      await client.write(body)
      if (!isAnnounced) await client.write('\r\n0\r\n\r\n')
      await client.problem()
      assert.ok(client.status === status || client.status === 503)
      await client.ask('GET', objectPath(BUCKET, 'k'), { authorization })
      await eventually(() => client.received.includes(OLD))
      clock.advance(LINGER_MS)
      await client.ask('GET', objectPath(BUCKET, 'k'), { authorization })
      await eventually(() => client.received.includes(OLD))
      client.hangUp()
    })
  }
})
