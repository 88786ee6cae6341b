import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMs, within } from '../support/yardstick.ts'

/** More than any machine is slower than another. */
const FAR_TOO_LONG = 1000

test('what is quick enough passes and gives its result', async () => {
  assert.equal(await within(10_000, async () => 7), 7)
})

test('what takes far too long fails, and says what it took', async () => {
  assert.throws(() => assertMs(100 * FAR_TOO_LONG, 100), /^AssertionError.*it took 100000 ms, and may take \d+ ms/)
  const busy = () => {
    for (const endMs = performance.now() + 50; performance.now() < endMs; );
  }
  await assert.rejects(within(50 / FAR_TOO_LONG, busy), /may take/)
})
