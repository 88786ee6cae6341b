// Once: many uploads at the same time, on the disk.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { get, makeBucket, put } from '../../../test/support/objects/client.ts'
import { leftovers } from '../../../test/support/objects/leftovers.ts'
import { contentOf } from '../../engines/objects/testing/bodies.ts'

const BUCKET = 'crowd'
const MIB = 1024 * 1024
const UPLOADS = 200

describe('many at once', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await makeBucket(test, BUCKET)
  })
  after(() => test.close())

  it(`${UPLOADS} uploads of a megabyte arrive unmixed, in little memory`, { timeout: 120_000 }, async (t) => {
    const startedMb = process.memoryUsage.rss() / MIB
    let peakMb = 0
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, process.memoryUsage.rss() / MIB)
    }, 20)
    // The content is made while it is sent, so that the measured memory is the server's.
    async function* pieces(number: number) {
      const whole = contentOf(number, 64 * 1024)
      for (let n = 0; n < 16; n++) yield whole
    }
    const answers = await Promise.all(
      Array.from({ length: UPLOADS }, (_, n) => put(test, BUCKET, `up-${n}`, () => ReadableStream.from(pieces(n))))
    )
    clearInterval(watch)
    assert.ok(answers.every(({ status, body }) => status === 201 && body.size === MIB))
    for (let n = 0; n < UPLOADS; n++) {
      const { bytes } = await get(test, BUCKET, `up-${n}`)
      assert.ok(bytes.equals(Buffer.concat(Array(16).fill(contentOf(n, 64 * 1024)))), `up-${n}`)
    }
    const grownMb = Math.round(peakMb - startedMb)
    t.diagnostic(`${grownMb} MB more at the most`)
    assert.ok(grownMb < 400, `${grownMb} MB`)
    assert.deepEqual(leftovers(test.database.folder), [])
  })
})
