// Once: guesses at links.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

const LIMIT = 5
const GUESS = '/api/buckets/some-bucket/links/lnk_1/key?expires=4102444800000&signature=guess'

let test: TestApp
before(async () => {
  test = await startTestApp({ env: { RATE_LIMIT: String(LIMIT) } })
})
after(() => test.close())

it('who guesses at links has to wait, whoever has a good one does not', async () => {
  for (let i = 0; i < LIMIT; i++) assert.equal((await test.call('GET', GUESS)).status, 403)
  const refused = await test.call('GET', GUESS)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await test.call('GET', '/api/health')).status, 200)
})
