// Once: it is about the memory of the process.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { soakMemory } from '../support/memory-soak.ts'
import { tries } from '../support/thorough.ts'

/** `npm run soak` does it for half an hour. */
const MINUTES = tries(2, 3)
const MAX_GROWTH = 1.15

it('takes no more memory after minutes of mixed load than soon after their beginning', async (t) => {
  const { firstMib, lastMib, peakMib, answers, failures } = await soakMemory(MINUTES, (line) => t.diagnostic(line))
  assert.deepEqual(failures.slice(0, 3), [])
  assert.ok(answers > MINUTES * 60 * 10, `${answers} answers`)
  assert.ok(lastMib <= firstMib * MAX_GROWTH, `${firstMib} MiB, then ${lastMib} MiB, at most ${peakMib} MiB`)
})
