// Once: the reading of forms.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import {
  type FormPart,
  form,
  get,
  makeBucket,
  namesIn,
  postForm,
  put,
  send
} from '../../../test/support/objects/client.ts'
import { leftovers } from '../../../test/support/objects/leftovers.ts'

const LIMIT_BYTES = 3_000_000
const LARGE = Buffer.alloc(1_500_000, 'large ')

const inAnyOrder = (a: FormPart, b: FormPart): FormPart[][] => [
  [a, b],
  [b, a]
]

describe('an upload with a form', () => {
  let test: TestApp
  let bucket: string
  let count = 0

  before(async () => {
    test = await startTestApp({ env: { MAX_OBJECT_BYTES: String(LIMIT_BYTES) } })
  })
  beforeEach(async () => {
    bucket = await makeBucket(test, `forms-${count++}`)
  })
  after(() => test.close())

  const stored = async (key: string) => {
    const { status, bytes } = await get(test, bucket, key)
    assert.equal(status, 200, key)
    return bytes
  }
  const nothingLeft = async () => {
    assert.deepEqual(await namesIn(test, bucket), [])
    assert.deepEqual(leftovers(test.database.folder), [])
  }
  /** A form written by hand, for what no library would send. */
  const raw = (lines: string[], type = 'multipart/form-data; boundary=xx') =>
    send(test, 'POST', `/api/buckets/${bucket}/objects`, {
      body: lines.join('\r\n'),
      headers: { 'content-type': type }
    })
  const filePart = (disposition: string, content: string) => [
    '--xx',
    `Content-Disposition: form-data; ${disposition}`,
    'Content-Type: text/plain',
    '',
    content
  ]

  it('takes the key before the file, behind it, as a folder, or the name of the file', async () => {
    for (const content of [Buffer.from('small'), LARGE]) {
      const cases: [FormPart[], string][] = [
        [
          [
            ['key', 'a/before'],
            ['file', content, 'x.txt']
          ],
          'a/before'
        ],
        [
          [
            ['file', content, 'x.txt'],
            ['key', 'a/behind']
          ],
          'a/behind'
        ],
        [[['file', content, 'named.txt']], 'named.txt'],
        [
          [
            ['key', ''],
            ['file', content, 'empty-key.txt']
          ],
          'empty-key.txt'
        ],
        [
          [
            ['key', 'folder/'],
            ['file', content, 'x.txt']
          ],
          'folder/x.txt'
        ],
        [
          [
            ['file', content, 'y.txt'],
            ['key', 'folder/']
          ],
          'folder/y.txt'
        ]
      ]
      for (const [parts, key] of cases) {
        const { status, body, headers } = await postForm(test, bucket, form(...parts))
        assert.deepEqual([status, body.name, body.size], [201, key, content.length])
        assert.equal(headers.get('location'), `/api/buckets/${bucket}/objects/${encodeURIComponent(key)}`)
        assert.ok((await stored(key)).equals(content), key)
      }
    }
    assert.deepEqual(leftovers(test.database.folder), [])
  })

  it('refuses a file that would have to be decoded first', async () => {
    const [boundary, ...lines] = filePart('name="file"; filename="a"', 'eA==') as [string, ...string[]]
    const { status, body } = await raw([boundary, 'Content-Transfer-Encoding: base64', ...lines, '--xx--', ''])
    assert.deepEqual([status, body.errors?.[0].pointer], [400, '/file'])
    await nothingLeft()
  })

  it('answers with the object', async () => {
    const data = new FormData()
    data.append('file', new Blob(['a;b\n'], { type: 'text/csv' }), 'a.csv')
    const { body, headers } = await postForm(test, bucket, data)
    const { lastModified, ...rest } = body
    const md5 = createHash('md5').update('a;b\n').digest('hex')
    assert.ok(Math.abs(Date.parse(lastModified) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      name: 'a.csv',
      size: 4,
      etag: `"${md5}"`,
      isFolder: false,
      bucket,
      contentType: 'text/csv',
      sha256: createHash('sha256').update('a;b\n').digest('hex')
    })
    assert.equal(headers.get('etag'), `"${md5}"`)
  })

  it('takes an empty file', async () => {
    const { status, body } = await postForm(test, bucket, form(['file', '', 'empty']))
    assert.deepEqual([status, body.size, body.etag], [201, 0, '"d41d8cd98f00b204e9800998ecf8427e"'])
    assert.equal((await stored('empty')).length, 0)
  })

  it('takes names of files in any script, without the folders that some send along', async () => {
    for (const name of ['\u00fcber \u4e2d\u6587 \ud83d\ude80.txt', 'e\u0301.txt', 'a b+c%20d.txt', "it's (1).txt"]) {
      const { status, body } = await postForm(test, bucket, form(['file', 'x', name]))
      assert.deepEqual([status, body.name], [201, name])
    }
    for (const name of ['C:\\\\fakepath\\\\win.txt', '/home/ada/unix.txt', '../../up.txt']) {
      const { status, body } = await raw([...filePart(`name="file"; filename="${name}"`, 'x'), '--xx--', ''])
      assert.equal(status, 201, name)
      assert.match(body.name, /^(win|unix|up)\.txt$/)
    }
  })

  it('takes a key of 1,024 bytes and not one more', async () => {
    const key = `${'\u00fc'.repeat(500)}${'k'.repeat(24)}`
    for (const parts of inAnyOrder(['key', key], ['file', 'x', 'f'])) {
      assert.equal((await postForm(test, bucket, form(...parts))).body.name, key)
    }
    for (const long of [`${key}k`, 'k'.repeat(1025), 'k'.repeat(5000)]) {
      const { status, body } = await postForm(test, bucket, form(['key', long], ['file', 'x', 'f']))
      assert.deepEqual([status, body.errors[0].pointer], [400, '/key'])
      assert.match(body.errors[0].message, /at most 1024 bytes in UTF-8/)
    }
    const folder = await postForm(test, bucket, form(['key', `${'k'.repeat(1020)}/`], ['file', 'x', 'name']))
    assert.equal(folder.status, 400, 'folder and name together')
  })

  it('needs a key where the file has no name', async () => {
    for (const disposition of ['name="file"; filename=""', 'name="file"; filename="folder/"']) {
      const nameless = await raw([...filePart(disposition, 'x'), '--xx--', ''])
      assert.deepEqual([nameless.status, nameless.body.errors?.[0].pointer], [400, '/key'], disposition)
    }
    await nothingLeft()
    const key = ['--xx', 'Content-Disposition: form-data; name="key"', '', 'given']
    const named = await raw([...filePart('name="file"; filename=""', 'x'), ...key, '--xx--', ''])
    assert.deepEqual([named.status, named.body.name], [201, 'given'])
  })

  it('refuses other fields, a second file and a second key, by name', async () => {
    const cases: [FormData, string, RegExp][] = [
      [form(['key', 'k']), '/file', /is required/],
      [new FormData(), '/file', /is required/],
      [form(['file', 'just text']), '/file', /must be a file/],
      [form(['upload', 'x', 'x.txt']), '/upload', /is not a field/],
      [form(['name', 'x'], ['file', 'x', 'x.txt']), '/name', /is not a field/],
      [form(['file', 'x', 'x.txt'], ['name', 'x']), '/name', /is not a field/],
      [form(['file', 'x', 'x.txt'], ['file', 'y', 'y.txt']), '/file', /the only file/],
      [form(['file', LARGE, 'x.txt'], ['other', 'y', 'y.txt']), '/other', /the only file/],
      [form(['key', 'a'], ['key', 'b'], ['file', 'x', 'x.txt']), '/key', /once/],
      [form(['key', 'a'], ['file', LARGE, 'x.txt'], ['key', 'b']), '/key', /once/]
    ]
    for (const [data, pointer, message] of cases) {
      const { status, body } = await postForm(test, bucket, data)
      assert.deepEqual([status, body.errors?.[0].pointer], [400, pointer])
      assert.match(body.errors[0].message, message)
      await nothingLeft()
    }
  })

  it('refuses what is no form, or not a whole one', async () => {
    const whole = filePart('name="file"; filename="x"', 'content')
    const cases: [string, string[], string?][] = [
      ['without its end', whole],
      ['in the midst of a boundary', [...whole, '--x']],
      ['in the midst of a part’s head', ['--xx', 'Content-Disposition: form-da']],
      ['of another boundary', [...whole, '--xx--', ''], 'multipart/form-data; boundary=yy'],
      ['without a boundary', [...whole, '--xx--', ''], 'multipart/form-data'],
      ['in JSON', ['{"file":"x"}'], 'application/json'],
      ['url-encoded', ['file=x'], 'application/x-www-form-urlencoded'],
      ['as text', ['x'], 'text/plain'],
      ['with nothing in it', ['']]
    ]
    for (const [name, lines, type] of cases) {
      const { status, body } = await raw(lines, type)
      assert.ok(status === 400 || status === 415, `${name}: ${status}`)
      assert.match(body.code, /^(malformed_form|invalid_request|unsupported_media_type|body_incomplete)$/, name)
      await nothingLeft()
    }
  })

  it('checks the content against what its sender says of it', async () => {
    const md5 = createHash('md5').update(LARGE).digest('base64')
    const sha256 = createHash('sha256').update(LARGE).digest('base64')
    const right = { 'content-md5': md5, 'repr-digest': `sha-256=:${sha256}:` }
    for (const parts of inAnyOrder(['key', 'k'], ['file', LARGE, 'f'])) {
      const data = () => form(...parts)
      const wrongMd5 = await postForm(test, bucket, data(), { 'content-md5': createHash('md5').digest('base64') })
      assert.deepEqual([wrongMd5.status, wrongMd5.body.code], [400, 'checksum_mismatch'])
      const other = `sha-256=:${createHash('sha256').digest('base64')}:`
      assert.equal((await postForm(test, bucket, data(), { 'repr-digest': other })).body.code, 'checksum_mismatch')
      await nothingLeft()
      assert.equal((await postForm(test, bucket, data(), right)).status, 201)
      await send(test, 'DELETE', `/api/buckets/${bucket}/objects/k`)
    }
  })

  it('that is too large leaves nothing behind, and the old object whole', async () => {
    await put(test, bucket, 'k', 'old')
    const big = Buffer.alloc(LIMIT_BYTES + 1)
    for (const parts of inAnyOrder(['key', 'k'], ['file', big, 'f'])) {
      const { status, body } = await postForm(test, bucket, form(...parts))
      assert.deepEqual([status, body.code], [413, 'payload_too_large'])
      assert.match(body.detail, /3000000 bytes \(MAX_OBJECT_BYTES\)/)
    }
    assert.equal(String(await stored('k')), 'old')
    assert.deepEqual(leftovers(test.database.folder), [])
    const exact = form(['key', 'exact'], ['file', Buffer.alloc(LIMIT_BYTES), 'f'])
    assert.equal((await postForm(test, bucket, exact)).status, 201, 'the limit itself is allowed')
  })

  it('overwrites only what it may', async () => {
    const twice = async (headers: Record<string, string>) =>
      (await postForm(test, bucket, form(['key', 'k'], ['file', 'new', 'f']), headers)).status
    assert.equal(await twice({ 'if-match': '"0123"' }), 412)
    assert.equal(await twice({ 'if-none-match': '*' }), 201)
    assert.equal(await twice({ 'if-none-match': '*' }), 412)
    const { headers } = await get(test, bucket, 'k')
    assert.equal(await twice({ 'if-match': headers.get('etag') as string }), 201)
    assert.equal(await twice({ 'if-match': '"0123"' }), 412)
    assert.equal(await twice({ 'if-none-match': '"0123"' }), 400)
    assert.equal(await twice({ 'if-match': '*' }), 400)
  })

  it('is refused where what stands around the file has no end', async () => {
    const endless = 'x'.repeat(400_000)
    const before = await raw(['--xx', `Content-Disposition: form-data; name="file"; filename="${endless}`])
    assert.deepEqual([before.status, before.body.code], [400, 'malformed_form'])
    const behind = await raw([...filePart('name="file"; filename="a"', 'content'), '--xx', `X: ${endless}`])
    assert.deepEqual([behind.status, behind.body.code], [400, 'malformed_form'])
    await nothingLeft()
  })
})
