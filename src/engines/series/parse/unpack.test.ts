import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { SeriesError } from '../errors.ts'
import { unpack } from './unpack.ts'

const body = Buffer.from('cpu usage=1 5\n'.repeat(100_000))

const refusedAs = (code: string) => (error: unknown) => error instanceof SeriesError && error.code === code

test('a packed body is unpacked, one that is not is left', () => {
  assert.deepEqual(Buffer.from(unpack(gzipSync(body), true, body.length)), body)
  assert.equal(unpack(body, false, body.length), body)
})

test('a body that is larger than allowed is refused, packed or not', () => {
  assert.throws(() => unpack(gzipSync(body), true, body.length - 1), refusedAs('body_too_large'))
  assert.throws(() => unpack(gzipSync(body), true, 10), refusedAs('body_too_large'))
  assert.throws(() => unpack(body, false, body.length - 1), refusedAs('body_too_large'))
})

test('a body that is no gzip, cut off or damaged is refused', () => {
  const damaged = gzipSync(body)
  damaged[damaged.length - 6] = (damaged[damaged.length - 6] as number) ^ 1
  for (const bytes of [body, gzipSync(body).subarray(0, -20), damaged, Buffer.alloc(0)]) {
    assert.throws(() => unpack(bytes, true, body.length), refusedAs('body_malformed'))
  }
})
