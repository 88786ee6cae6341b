// Once: what is proven is about pipelines and their checkpoints; transactions of both databases have suites of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashPipelines } from '../support/pipelines/crash.ts'
import { tries } from '../support/thorough.ts'

/** Most end only the processes of pipelines, which is quicker; `npm run soak -- pipelines` kills the server each time. */
const KILLS = { server: tries(7, 14), host: tries(18, 36) }

test('pipelines that are killed at random moments end with exactly what they had to write', async (t) => {
  const figures = await crashPipelines(KILLS)
  assert.equal(figures.serverKills + figures.hostKills, KILLS.server + KILLS.host)
  assert.ok(figures.runs >= 2)
  t.diagnostic(JSON.stringify(figures))
})
