import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashOverAndOver } from '../support/crash.ts'
import { postgresUrl } from '../support/database.ts'
import { tries } from '../support/thorough.ts'

const ROUNDS = postgresUrl === undefined ? tries(10, 20) : 5

test('a server that is killed again and again loses nothing it has acknowledged', { timeout: 1_200_000 }, async (t) => {
  const { acknowledged, jobs } = await crashOverAndOver(ROUNDS)
  t.diagnostic(`${acknowledged} writes and ${jobs} jobs outlived ${ROUNDS} crashes`)
  assert.ok(acknowledged > ROUNDS)
})
