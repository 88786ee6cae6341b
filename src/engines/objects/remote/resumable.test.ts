import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { StoreError } from '../errors.ts'
import { readAll } from '../testing/bodies.ts'
import { resumable } from './resumable.ts'

const CONTENT = Buffer.from('abcdefgh')
const at = { key: 'key', start: 0, end: CONTENT.length }

/** Gives so many bytes from there on, and then fails or ends too early. */
function broken(offset: number, bytes: number, error?: Error): Readable {
  async function* chunks() {
    if (bytes > 0) yield CONTENT.subarray(offset, offset + bytes)
    if (error !== undefined) throw error
  }
  return Readable.from(chunks(), { objectMode: false })
}

test('a download that breaks off goes on where it ended, whether that was told or not', async () => {
  for (const error of [undefined, new Error('gone')]) {
    const offsets: number[] = []
    const reopen = async (offset: number) => {
      offsets.push(offset)
      return broken(offset, offset === 3 ? 2 : 3, error)
    }
    assert.ok((await readAll(resumable(broken(0, 3, error), { ...at, reopen }))).equals(CONTENT))
    assert.deepEqual(offsets, [3, 5])
  }
})

test('after three attempts it is given up, and at once where the object is another one', async () => {
  let calls = 0
  const failing = async (offset: number) => {
    calls++
    return broken(offset, 0, new Error('gone'))
  }
  await assert.rejects(readAll(resumable(broken(0, 1), { ...at, reopen: failing })), {
    code: 'store_failed',
    message: /key/
  })
  assert.equal(calls, 2)
  const changed = new StoreError('precondition_failed', 'changed')
  const reopen = () => Promise.reject(changed)
  await assert.rejects(readAll(resumable(broken(0, 1), { ...at, reopen })), (error) => error === changed)
})

test('one that is given up lets its connection go at once, and is not taken up again', async () => {
  let reopenings = 0
  const unwanted = async () => {
    reopenings++
    return mute()
  }
  const mute = () => new Readable({ read() {} })
  for (const error of [undefined, new Error('the reader is gone')]) {
    for (const begun of [true, false]) {
      const source = mute()
      const body = resumable(source, { ...at, reopen: unwanted }).on('error', () => {})
      if (begun) {
        source.push('abc')
        await once(body, 'readable')
        body.read()
        body.read(1)
      }
      body.destroy(error)
      await new Promise((resolve) => body.once('close', resolve))
      assert.ok(source.destroyed)
      await setImmediate()
      assert.equal(reopenings, 0)
    }
  }
  const second = mute()
  const asked = Promise.withResolvers<void>()
  const reopened = Promise.withResolvers<Readable>()
  const reopen = () => {
    asked.resolve()
    return reopened.promise
  }
  const body = resumable(broken(0, 1), { ...at, reopen }).resume()
  await asked.promise
  body.destroy()
  reopened.resolve(second)
  await once(second, 'close')
})
