// Once: uploads in parts, which are the store's.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { get, makeBucket, namesIn, put, send } from '../../../test/support/objects/client.ts'
import { leftovers } from '../../../test/support/objects/leftovers.ts'
import { pattern } from '../../engines/objects/testing/bodies.ts'

const MIB = 1024 * 1024
const LIMIT_BYTES = 20 * MIB
const BUCKET = 'uploads'
const CONTENT = pattern(11 * MIB + 123)
const PARTS = [CONTENT.subarray(0, 5 * MIB), CONTENT.subarray(5 * MIB, 10 * MIB), CONTENT.subarray(10 * MIB)]
const DAY_MS = 24 * 3600_000

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

describe('an upload in parts', () => {
  const clock = new ManualClock()
  let test: TestApp

  before(async () => {
    test = await startTestApp({ clock: clock, env: { MAX_OBJECT_BYTES: String(LIMIT_BYTES) } })
    await makeBucket(test, BUCKET)
  })
  after(() => test.close())

  const path = `/api/buckets/${BUCKET}/uploads`
  const post = (address: string, body: unknown, headers = {}) =>
    send(test, 'POST', address, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers }
    })
  const start = async (key: string, contentType = 'video/mp4') => (await post(path, { key, contentType })).body
  const part = (id: string, number: number | string, body: Buffer | ReadableStream, headers = {}) =>
    send(test, 'PUT', `${path}/${id}/parts/${number}`, { body: body as Buffer<ArrayBuffer>, headers })
  const complete = (id: string, body: object = {}, headers = {}) => post(`${path}/${id}/complete`, body, headers)
  const shown = (id: string) => send(test, 'GET', `${path}/${id}`, { as: 'viewer' })
  const isWhole = async (key: string) => assert.ok((await get(test, BUCKET, key)).bytes.equals(CONTENT), key)
  const uploadFolders = () => readdirSync(join(test.database.folder, 'objects/builtin/uploads'))

  it('is begun, filled in any order and several at once, and becomes the object', async () => {
    const upload = await start('in parts.mp4')
    const { id, ...rest } = upload
    assert.match(id, /^up_/)
    assert.deepEqual(rest, {
      bucket: BUCKET,
      key: 'in parts.mp4',
      contentType: 'video/mp4',
      createdAt: clock.iso(),
      expiresAt: new Date(clock.now() + 7 * DAY_MS).toISOString(),
      minPartBytes: 5 * MIB,
      parts: []
    })
    const answers = await Promise.all([3, 1, 2].map((number) => part(id, number, PARTS[number - 1] as Buffer)))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.number, body.size, body.etag]),
      [3, 1, 2].map((n) => [200, n, PARTS[n - 1]?.length, md5(PARTS[n - 1] as Buffer)])
    )
    assert.deepEqual(
      (await shown(id)).body.parts.map(({ number }: { number: number }) => number),
      [1, 2, 3]
    )
    assert.deepEqual(await namesIn(test, BUCKET), [], 'nothing is listed before it is whole')
    const done = await complete(id)
    assert.deepEqual([done.status, done.body.size, done.body.contentType], [201, CONTENT.length, 'video/mp4'])
    assert.equal(done.headers.get('etag'), `"${md5(CONTENT)}"`)
    await isWhole('in parts.mp4')
    assert.equal((await shown(id)).status, 404)
    assert.equal((await complete(id)).status, 404)
    assert.deepEqual(uploadFolders(), [])
  })

  it('takes a part again, and the last one counts', async () => {
    const { id } = await start('again')
    await part(id, 1, pattern(6 * MIB))
    const again = await part(id, 1, PARTS[0] as Buffer)
    await part(id, 2, CONTENT.subarray(5 * MIB))
    const { parts } = (await shown(id)).body
    assert.deepEqual([parts.length, parts[0].etag], [2, again.body.etag])
    assert.equal((await complete(id)).status, 201)
    await isWhole('again')
  })

  it('goes on after a restart', async () => {
    const { id } = await start('resumed')
    await part(id, 1, PARTS[0] as Buffer)
    test = await test.reopen()
    assert.equal((await shown(id)).body.parts.length, 1)
    await part(id, 2, CONTENT.subarray(5 * MIB))
    assert.equal(
      (await complete(id, { parts: [{ number: 1, etag: md5(PARTS[0] as Buffer) }, { number: 2 }] })).status,
      201
    )
    await isWhole('resumed')
  })

  it('is not completed while anything is missing, and says what', async () => {
    const { id } = await start('incomplete')
    const refused = async (body: object) => {
      const answer = await complete(id, body)
      assert.deepEqual([answer.status, answer.body.code], [409, 'upload_incomplete'])
      return answer.body.errors.map(({ message }: { message: string }) => message).join('; ')
    }
    assert.match(await refused({}), /part 1 has not arrived/)
    await part(id, 1, PARTS[0] as Buffer)
    await part(id, 3, PARTS[2] as Buffer)
    assert.match(await refused({}), /part 2 has not arrived/)
    await part(id, 2, Buffer.from('too small'))
    assert.match(await refused({}), /part 2 has less than 5 MiB and is not the last/)
    assert.match(await refused({ parts: [{ number: 1, etag: 'wrong' }] }), /part 1 has another content/)
    assert.match(await refused({ parts: [{ number: 3 }, { number: 1 }] }), /higher number/)
    assert.match(await refused({ parts: [{ number: 1 }, { number: 1, etag: 'x' }] }), /higher number/)
    assert.match(await refused({ parts: [{ number: 1 }, { number: 9 }] }), /part 9 has not arrived/)
    assert.equal((await complete(id, { parts: [] })).status, 400)
    assert.equal((await complete(id, { parts: [{ number: 1 }, { number: 3 }] })).status, 201, 'numbers may have gaps')
  })

  it('keeps the conditions of a write', async () => {
    await put(test, BUCKET, 'guarded', 'old')
    const { id } = await start('guarded')
    await part(id, 1, CONTENT)
    assert.equal((await complete(id, {}, { 'if-none-match': '*' })).status, 412)
    assert.equal((await complete(id, {}, { 'if-match': '"0"' })).status, 412)
    assert.equal(String((await get(test, BUCKET, 'guarded')).bytes), 'old')
    const { headers } = await get(test, BUCKET, 'guarded')
    assert.equal((await complete(id, {}, { 'if-match': headers.get('etag') as string })).status, 201)
    await isWhole('guarded')
  })

  it('is refused when its parts come to too much', async () => {
    const { id } = await start('too-large')
    assert.equal((await part(id, 1, Buffer.alloc(LIMIT_BYTES + 1))).status, 413)
    for (const number of [1, 2]) assert.equal((await part(id, number, CONTENT)).status, 200)
    const { status, body } = await complete(id)
    assert.deepEqual([status, body.code], [413, 'payload_too_large'])
    assert.equal((await send(test, 'DELETE', `${path}/${id}`)).status, 204)
    assert.equal((await send(test, 'DELETE', `${path}/${id}`)).status, 404)
    assert.deepEqual(leftovers(test.database.folder), [])
  })

  it('checks each part against what its sender says of it', async () => {
    const { id } = await start('checked')
    const wrong = await part(id, 1, PARTS[0] as Buffer, { 'content-md5': createHash('md5').digest('base64') })
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'checksum_mismatch'])
    assert.deepEqual((await shown(id)).body.parts, [])
    assert.deepEqual(leftovers(test.database.folder), [])
  })

  it('that is not known takes nothing', async () => {
    assert.equal((await part('up_none', 1, PARTS[2] as Buffer)).status, 404)
    assert.equal((await complete('up_none')).status, 404)
    const { id } = await start('elsewhere')
    await makeBucket(test, 'other')
    const elsewhere = await send(test, 'PUT', `/api/buckets/other/uploads/${id}/parts/1`, { body: 'x' })
    assert.equal(elsewhere.status, 404, 'not even by a bucket that is not its own')
    for (const number of ['0', '10001', 'x', '1.5', '-1']) {
      assert.equal((await part(id, number, Buffer.from('x'))).status, 404, number)
    }
    assert.equal((await post(path, { key: 'a\\b' })).status, 400)
    assert.equal((await post(path, { key: 'a', contentType: 'nonsense' })).status, 400)
  })

  it('that ends while a part is under way leaves nothing of it', async () => {
    for (const end of ['abort', 'complete']) {
      const { id } = await start(`ended by ${end}`)
      await part(id, 1, PARTS[0] as Buffer)
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      async function* slowly() {
        yield PARTS[1]?.subarray(0, 1000)
        await held
        yield PARTS[1]?.subarray(1000)
      }
      const late = part(id, 2, ReadableStream.from(slowly()))
      await eventually(() => test.app.http.server.listening)
      const ended = end === 'abort' ? await send(test, 'DELETE', `${path}/${id}`) : await complete(id)
      assert.ok(ended.status < 300)
      goOn()
      assert.equal((await late).status, 404, end)
      assert.deepEqual(uploadFolders().length, 2, 'those of the tests before')
    }
  })

  it('that is completed twice at once becomes one object', async () => {
    const { id } = await start('twice')
    await part(id, 1, CONTENT)
    const answers = await Promise.all([complete(id), complete(id)])
    const statuses = answers.map(({ status }) => status)
    assert.ok(statuses.includes(201))
    assert.ok(
      statuses.every((status) => [201, 404, 409].includes(status)),
      statuses.join()
    )
    await isWhole('twice')
  })

  it('is listed until it is given up after seven days', async () => {
    const { uploads, total } = (await send(test, 'GET', path, { as: 'viewer' })).body
    assert.deepEqual(
      [total, uploads.map(({ key }: { key: string }) => key)],
      [2, ['checked', 'elsewhere']],
      'those that the tests before have left'
    )
    const young = await start('young')
    await part(uploads[1].id, 1, PARTS[2] as Buffer)
    assert.equal(leftovers(test.database.folder).length, 1)
    clock.advance(6 * DAY_MS)
    const { id } = await start('younger')
    clock.advance(DAY_MS + 3600_000)
    await eventually(async () => {
      clock.advance(1000)
      const { body } = await send(test, 'GET', path, { as: 'viewer' })
      assert.deepEqual(
        body.uploads.map(({ key }: { key: string }) => key),
        ['younger']
      )
    })
    assert.equal((await shown(young.id)).status, 404)
    assert.deepEqual(leftovers(test.database.folder), [])
    assert.equal((await shown(id)).status, 200)
    assert.ok(existsSync(join(test.database.folder, 'objects/builtin/uploads')))
    assert.equal(uploadFolders().length, 1)
  })
})
