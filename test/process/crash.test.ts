import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashOverAndOver } from '../support/crash.ts'

/** The long suite does it twenty times. */
const ROUNDS = 2

test('a server that is killed twice loses nothing it has acknowledged', { timeout: 170_000 }, async (t) => {
  const { acknowledged, jobs } = await crashOverAndOver(ROUNDS)
  t.diagnostic(`${acknowledged} writes and ${jobs} jobs outlived ${ROUNDS} crashes`)
  assert.ok(acknowledged > ROUNDS)
})
