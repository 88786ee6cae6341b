// Once: ranges and conditions.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { get, makeBucket, objectPath, put, send } from '../../../test/support/objects/client.ts'
import { pattern } from '../../engines/objects/testing/bodies.ts'

const BUCKET = 'downloads'
const SMALL = pattern(1000)
const LARGE = pattern(3_000_000)
const HOUR_MS = 3600_000

describe('a download', () => {
  let test: TestApp
  let etag: string
  let modified: Date

  before(async () => {
    test = await startTestApp()
    await makeBucket(test, BUCKET)
    await put(test, BUCKET, 'small', SMALL, { 'content-type': 'text/csv' })
    const { body } = await put(test, BUCKET, 'large', LARGE)
    await put(test, BUCKET, 'empty', '')
    etag = body.etag
    modified = new Date(body.lastModified)
  })
  after(() => test.close())

  const at = (ms: number) => new Date(modified.getTime() + ms).toUTCString()
  const large = (headers: Record<string, string>) => get(test, BUCKET, 'large', headers)

  for (const [key, content] of [
    ['small', SMALL],
    ['large', LARGE]
  ] as const) {
    const last = content.length - 1
    const ranges: [string, number, number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=1-9', 1, 9],
      [`bytes=${last}-${last}`, last, last],
      ['bytes=500-', 500, last],
      ['bytes=-1', last, last],
      ['bytes=-400', last - 399, last],
      [`bytes=-${content.length * 2}`, 0, last],
      [`bytes=10-${content.length * 2}`, 10, last],
      ['bytes=10-99999999999999999999999', 10, last],
      [`bytes=0-${last}`, 0, last],
      ['Bytes=0-1', 0, 1]
    ]
    for (const [range, start, end] of ranges) {
      it(`of the range ${range} of the ${key} one`, async () => {
        const { status, headers, bytes } = await get(test, BUCKET, key, { range })
        assert.equal(status, 206)
        assert.equal(headers.get('content-range'), `bytes ${start}-${end}/${content.length}`)
        assert.equal(headers.get('content-length'), String(end - start + 1))
        assert.ok(bytes.equals(content.subarray(start, end + 1)))
      })
    }

    it(`of a range behind the end of the ${key} one is refused with its size`, async () => {
      for (const range of [`bytes=${content.length}-`, 'bytes=99999999999999999999-', 'bytes=-0']) {
        const { status, headers, body } = await get(test, BUCKET, key, { range })
        assert.deepEqual([status, body.code], [416, 'range_not_satisfiable'], range)
        assert.equal(headers.get('content-range'), `bytes */${content.length}`)
      }
    })

    it(`of what is no single range of bytes is the whole ${key} one`, async () => {
      for (const range of [
        'bytes=0-1,4-5',
        'bytes=',
        'bytes=-',
        'bytes=9-1',
        'lines=0-1',
        'bytes=a-b',
        'bytes=0x1-2'
      ]) {
        const { status, headers, bytes } = await get(test, BUCKET, key, { range })
        assert.deepEqual([status, headers.get('content-range')], [200, null], range)
        assert.ok(bytes.equals(content), range)
      }
    })
  }

  it('of any range of nothing is refused', async () => {
    for (const range of ['bytes=0-', 'bytes=-5', 'bytes=0-0']) {
      assert.equal((await get(test, BUCKET, 'empty', { range })).status, 416, range)
    }
    const { status, headers } = await get(test, BUCKET, 'empty')
    assert.deepEqual([status, headers.get('content-length')], [200, '0'])
  })

  it('heeds the conditions, the stronger one before the weaker', async () => {
    const past = at(-HOUR_MS)
    const future = at(HOUR_MS)
    const other = '"0123456789abcdef"'
    const cases: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': `${other}, ${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': other }, 200],
      [{ 'if-modified-since': at(0) }, 304],
      [{ 'if-modified-since': future }, 304],
      [{ 'if-modified-since': past }, 200],
      [{ 'if-modified-since': 'yesterday' }, 200],
      [{ 'if-none-match': other, 'if-modified-since': future }, 200],
      [{ 'if-none-match': etag, 'if-modified-since': past }, 304],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': `${other}, ${etag}` }, 200],
      [{ 'if-match': other }, 412],
      [{ 'if-match': `W/${etag}` }, 412],
      [{ 'if-unmodified-since': past }, 412],
      [{ 'if-unmodified-since': at(0) }, 200],
      [{ 'if-match': etag, 'if-unmodified-since': past }, 200],
      [{ 'if-match': etag, 'if-none-match': etag }, 304],
      [{ 'if-match': other, 'if-none-match': etag }, 412],
      [{ 'if-unmodified-since': past, 'if-none-match': etag }, 412],
      [{ 'if-none-match': etag, range: 'bytes=0-0' }, 304],
      [{ 'if-match': etag, range: 'bytes=0-0' }, 206]
    ]
    for (const [headers, expected] of cases) {
      const { status, bytes } = await large(headers)
      assert.equal(status, expected, JSON.stringify(headers))
      if (expected === 304) assert.equal(bytes.length, 0)
      const head = await send(test, 'HEAD', objectPath(BUCKET, 'large'), { as: 'viewer', headers })
      assert.equal(head.status, expected === 206 ? 200 : expected, `HEAD ${JSON.stringify(headers)}`)
    }
  })

  it('of a range goes on only with the same content', async () => {
    const status = async (ifRange: string) => (await large({ range: 'bytes=5-9', 'if-range': ifRange })).status
    assert.equal(await status(etag), 206)
    assert.equal(await status('"0123"'), 200)
    assert.equal(await status(`W/${etag}`), 200, 'a weak tag is not enough')
    assert.equal(await status(at(0)), 206)
    assert.equal(await status(at(-HOUR_MS)), 200)
    assert.equal(await status(at(HOUR_MS)), 200)
    assert.equal(await status('nonsense'), 200)
  })

  it('says what it is, and a 304 what has not changed', async () => {
    const { headers } = await get(test, BUCKET, 'small')
    assert.equal(headers.get('content-type'), 'text/csv')
    assert.equal(headers.get('accept-ranges'), 'bytes')
    assert.equal(headers.get('content-length'), '1000')
    const unchanged = await large({ 'if-none-match': etag })
    assert.equal(unchanged.headers.get('etag'), etag)
    assert.equal(unchanged.headers.get('last-modified'), modified.toUTCString())
    assert.equal(unchanged.headers.get('content-type'), null)
  })

  it('with HEAD has the same headers and nothing else', async () => {
    for (const key of ['small', 'large', 'empty']) {
      const whole = await get(test, BUCKET, key)
      const head = await send(test, 'HEAD', objectPath(BUCKET, key), { as: 'viewer' })
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
      const told = ({ headers }: { headers: Headers }) =>
        [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)).sort()
      assert.deepEqual(told(head), told(whole), key)
    }
    assert.equal((await send(test, 'HEAD', objectPath(BUCKET, 'none'), { as: 'viewer' })).status, 404)
  })

  it('of a page of somebody’s can’t act as one of ours', async () => {
    for (const type of ['text/html', 'image/svg+xml', 'application/javascript']) {
      await put(test, BUCKET, 'evil', '<script>alert(1)</script>', { 'content-type': type })
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await send(test, method, objectPath(BUCKET, 'evil'), { as: 'viewer' })
        assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
      }
      const link = await send(test, 'GET', `${objectPath(BUCKET, 'evil')}/url`, { as: 'viewer' })
      const { headers } = await send(test, 'GET', link.body.url, { as: null })
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="evil"/)
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
  })

  it('of what is not there, or can’t be, is a 404', async () => {
    for (const key of ['none', 'smal', 'small/', 'SMALL', 'a\\b', 'a./b', 'k'.repeat(1025)]) {
      assert.equal((await get(test, BUCKET, key)).status, 404, key.slice(0, 20))
    }
  })
})
