import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { ManualClock } from '../test/support/manual-clock.ts'
import { readConfig } from './config.ts'
import { withPublicFailure } from './health-words.ts'
import { HealthProblem } from './http/health-problem.ts'
import { openPlatform } from './platform.ts'

const clock = new ManualClock('2026-01-01T00:00:00.000Z')

it('what fails is told in words that name no host, and has the reason for the log', async () => {
  const reason = new Error('connect ECONNREFUSED 10.0.0.7:5432')
  const check = withPublicFailure('check this', () => Promise.reject(reason), clock)
  await assert.rejects(check(), (error) => {
    assert.ok(error instanceof HealthProblem)
    assert.deepEqual([error.message, error.cause], ['check this', reason])
    return true
  })
})

it('so is what does not answer, before health gives up waiting', async () => {
  const result = assert.rejects(withPublicFailure('check this', () => new Promise(() => {}), clock)(), HealthProblem)
  clock.advance(2999)
  await result
})

it('a database that is away says which setting to look at', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-away-'))
  const env = { DATA_DIR: folder, DATABASE_URL: 'postgres://a@127.0.0.1:1/x', SECRET_KEY: 'x'.repeat(32) }
  const platform = await openPlatform(readConfig({ ...env, LOG_LEVEL: 'silent' }))
  try {
    await assert.rejects(platform.metadata.ping(), /The database does not answer: check DATABASE_URL/)
  } finally {
    await platform.close()
    rmSync(folder, { recursive: true })
  }
})

it('what is well says nothing', async () => {
  await withPublicFailure('check this', async () => {}, clock)()
})
