import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { get, makeBucket, objectPath, put, send, tokenOf } from '../../../test/support/objects/client.ts'
import { leftovers } from '../../../test/support/objects/leftovers.ts'
import { RawSocket } from '../../../test/support/objects/raw-socket.ts'
import { pattern } from '../../engines/objects/testing/bodies.ts'

const BUCKET = 'broken'
const LIMIT_BYTES = 4_000_000
const OLD = pattern(900_000)
const NEW = pattern(2_500_000)
const HANG_UPS = 15

describe('an upload that is broken off', () => {
  let test: TestApp
  let authorization: string

  before(async () => {
    test = await startTestApp({ env: { MAX_OBJECT_BYTES: String(LIMIT_BYTES) } })
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
  const refusals = async () => {
    const path = '/api/audit/logs?action=object.create&outcome=refused&limit=1'
    return (await send(test, 'GET', path, { as: 'admin' })).body
  }

  for (const [how, method, path, type, body] of ways) {
    it(`${how}, anywhere, leaves the old object whole and nothing else, and is written down`, async () => {
      const before = (await refusals()).total
      for (let n = 0; n < HANG_UPS; n++) {
        const end = [1, body.length - 1, body.length - 5][n] ?? randomInt(1, body.length)
        const isChunked = n % 2 === 1
        const client = await RawSocket.open(test.url)
        const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }
        await client.head(method, path, { authorization, 'content-type': type, ...length })
        const sent = body.subarray(0, end)
        if (isChunked) await client.write(`${sent.length.toString(16)}\r\n`)
        await client.write(sent)
        await eventually(async () => assert.ok((await refusals()).total - before >= n, 'one after the other'))
        client.hangUp()
      }
      await eventually(async () => assert.equal((await refusals()).total - before, HANG_UPS))
      const [row] = (await refusals()).logs
      assert.deepEqual([row.outcome, row.code, row.status], ['refused', 'body_incomplete', 400])
      assert.ok((await get(test, BUCKET, 'k')).bytes.equals(OLD))
      await eventually(() => assert.deepEqual(leftovers(test.database.folder, 1), []))
    })
  }

  it('before anything of it came is no object either', async () => {
    const client = await RawSocket.open(test.url)
    await client.head('PUT', objectPath(BUCKET, 'never'), { authorization, 'content-length': 5 })
    client.hangUp()
    await eventually(async () => assert.equal((await refusals()).logs[0].code, 'body_incomplete'))
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
    it(`because it is refused (${what}) hears why while it still sends`, { timeout: 30_000 }, async () => {
      const client = await RawSocket.open(test.url)
      const length = 'content-length' in headers ? {} : { 'transfer-encoding': 'chunked' }
      const isForm = method === 'POST'
      const type = isForm ? 'multipart/form-data; boundary=xx' : 'text/plain'
      await client.head(method, path, { authorization, 'content-type': type, ...length, ...headers })
      const piece = pattern(100_000)
      const chunk = (bytes: Buffer) =>
        'content-length' in headers
          ? bytes
          : Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
      if (isForm) await client.write(chunk(formOf(Buffer.alloc(0), true).subarray(0, -10)))
      let sentBytes = 0
      while (client.status === undefined && sentBytes < 49_000_000 && !client.socket.destroyed) {
        await client.write(chunk(piece))
        sentBytes += piece.length
      }
      await eventually(() => client.status !== undefined)
      assert.equal(client.status, status)
      // It may go on for a while, and is not cut off while it reads.
      await client.write(chunk(piece))
      await eventually(() => /"code":"[a-z_]+"/.test(client.received.toString()))
      client.hangUp()
      assert.ok((await get(test, BUCKET, 'k')).bytes.equals(OLD))
      await eventually(() => assert.deepEqual(leftovers(test.database.folder, 1), []))
    })
  }

  it('because it is refused can be followed by another on the same connection', async () => {
    const client = await RawSocket.open(test.url)
    await client.head('PUT', objectPath('nowhere', 'k'), { authorization, 'content-length': 3_000_000 })
    await eventually(() => client.status === 404)
    await client.write(Buffer.alloc(3_000_000))
    await client.head('GET', objectPath(BUCKET, 'k'), { authorization })
    await eventually(() => client.received.includes(OLD))
    client.hangUp()
  })
})
