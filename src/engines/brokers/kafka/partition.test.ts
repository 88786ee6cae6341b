import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { loadKafka } from './guarded-client.ts'
import { keyNumber } from './partition.ts'

test("keys go where Kafka's own client has them go", () => {
  // From the tests of the Java client, without their sign.
  const known = {
    '21': -973932308,
    foobar: -790332482,
    'a-little-bit-long-string': -985981536,
    'a-little-bit-longer-string': -1486304829,
    lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8: -58897971
  }
  for (const [key, hash] of Object.entries(known)) assert.equal(keyNumber(Buffer.from(key)), hash & 0x7fffffff, key)
})

test('of any bytes the same is made as by the library, and long keys take no longer by the byte', async () => {
  const { compatibilityPartitioner } = await loadKafka()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const key = Buffer.from(bytes)
      assert.equal(keyNumber(key), compatibilityPartitioner({} as never, key))
    })
  )
  assert.ok(keyNumber(Buffer.alloc(10_000_000, 'key')) >= 0)
})
