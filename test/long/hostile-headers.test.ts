// Once: what is sent never gets as far as the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { auditOf } from '../../src/http/route.ts'
import { BAD_IDEMPOTENCY_KEYS, ODD_HEADERS } from '../support/hostile-addresses.ts'
import { assertHarmless, assertProblem } from '../support/hostile-client.ts'
import { bodyOf, JSON_TYPE, openTarget, shotAt, type Target } from '../support/hostile-shots.ts'

describe('hostile headers', () => {
  let target: Target

  before(async () => {
    target = await openTarget()
  })
  after(() => target.close())

  it('takes no harm from headers', async () => {
    const admin = `Bearer ${await target.test.token('admin', 'admin')}`
    const twice = { authorization: [admin, 'Bearer other'] }
    for (const route of target.routes) {
      for (const headers of [...ODD_HEADERS, twice]) {
        const shot = { ...shotAt(route), headers: { ...JSON_TYPE, ...headers }, body: bodyOf(route) }
        assertHarmless(await target.client.fire(shot), `${route.operationId} ${JSON.stringify(headers).slice(0, 60)}`)
      }
      if (route.method !== 'POST' || auditOf(route) === undefined) continue
      for (const key of BAD_IDEMPOTENCY_KEYS) {
        const hit = await target.client.fire({
          ...shotAt(route),
          headers: { ...JSON_TYPE, 'idempotency-key': key },
          body: bodyOf(route)
        })
        assert.equal(assertProblem(hit, `Idempotency-Key ${key.slice(0, 10)}`), 'invalid_request')
      }
    }
  })

  it('leaves the server as it was', () => target.assertSound())
})
