// Once: keys on their way through addresses and the disk store.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { form, get, makeBucket, objectPath, postForm, put, send } from '../../../test/support/objects/client.ts'
import { keyFault } from '../../engines/objects/index.ts'
import { anyKey, NOTABLE_KEYS } from '../../engines/objects/testing/keys.ts'
import { encodeKeyInAddress } from './key-address.ts'

const BUCKET = 'any-key'
const RUNS = 60

/** Whether a key can be sent: clients resolve lone dots away, and an address with NUL is refused as a whole. */
const reachesServer = (key: string) => !key.includes('\0') && key !== '.' && key !== '..'

describe('any key', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await makeBucket(test, BUCKET)
  })
  after(() => test.close())

  /** Uses a key with every operation that takes one. */
  async function roundTrip(key: string): Promise<void> {
    const fault = keyFault(key)
    const stored = await put(test, BUCKET, key, `content of ${key}`)
    const inForm = await postForm(test, BUCKET, form(['key', key], ['file', 'from a form', 'f']))
    if (fault !== undefined) {
      for (const { status, body } of [stored, inForm]) {
        assert.deepEqual([status, body.errors?.[0].message], [400, fault])
      }
      assert.equal((await get(test, BUCKET, key)).status, 404)
      return
    }
    assert.deepEqual([stored.status, stored.body.name], [201, key])
    const isFolder = key.endsWith('/')
    assert.deepEqual([inForm.status, inForm.body.name], [201, isFolder ? `${key}f` : key])
    assert.equal(stored.headers.get('location'), objectPath(BUCKET, key))
    const content = isFolder ? `content of ${key}` : 'from a form'
    assert.equal(String((await get(test, BUCKET, key)).bytes), content)
    assert.equal(String((await send(test, 'GET', stored.headers.get('location') as string)).bytes), content)
    const prefix = encodeURIComponent(key)
    const listed = await send(test, 'GET', `/api/buckets/${BUCKET}/objects?recursive=true&prefix=${prefix}`)
    assert.equal(listed.body.objects[0].name, key)
    const link = await send(test, 'GET', `${objectPath(BUCKET, key)}/url`)
    assert.equal(link.status, 200, JSON.stringify(link.body))
    assert.equal(String((await send(test, 'GET', link.body.url, { as: null })).bytes), content)
    assert.equal((await send(test, 'DELETE', objectPath(BUCKET, key))).status, 204)
    assert.equal((await get(test, BUCKET, key)).status, 404)
    if (isFolder) await send(test, 'DELETE', objectPath(BUCKET, `${key}f`))
  }

  it('that stores are known to stumble over comes back as it was, or is refused with its fault', async () => {
    for (const key of [
      ...NOTABLE_KEYS.filter(reachesServer),
      'x/url',
      'url',
      '/url',
      'objects/x/url',
      'a/../b',
      'a/./b',
      'a\\b',
      'a.',
      'tab\t'
    ]) {
      await roundTrip(key)
    }
  })

  it('of Unicode text comes back as it was, or is refused with its fault', { timeout: 150_000 }, async () => {
    const property = fc.asyncProperty(anyKey.filter(reachesServer), roundTrip)
    await fc.assert(property, { numRuns: RUNS })
  })

  it('is one segment of the address, however its slashes were written', () => {
    const slashes = fc.array(fc.constantFrom('a', '/', '%2F', '?', '#', 'url', '/url'), { minLength: 1 })
    fc.assert(
      fc.property(slashes, (pieces) => {
        const key = pieces.join('').replace(/[?#].*/, '')
        const rewritten = encodeKeyInAddress(`/api/buckets/b/objects/${key}?x=/y`)
        const [path, query] = rewritten.split('?')
        assert.equal(query, 'x=/y')
        const segments = (path as string).slice('/api/buckets/b/objects/'.length).split('/')
        assert.ok(segments.length === 1 || (segments.length === 2 && segments[1] === 'url'), rewritten)
        assert.equal(decodeURIComponent(segments.join('/')), decodeURIComponent(key))
      })
    )
  })
})
