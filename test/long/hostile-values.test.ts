// Once: what is sent never gets as far as the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mutationsOf, OF_ANY_TYPE, type Schema } from '../support/hostile-bodies.ts'
import { assertProblem } from '../support/hostile-client.ts'
import { isRegistry, JSON_TYPE, openTarget, shotAt, type Target } from '../support/hostile-shots.ts'

describe('hostile values', () => {
  let target: Target

  before(async () => {
    target = await openTarget()
  })
  after(() => target.close())

  it('refuses every value that the schema of a body forbids', async () => {
    const shots = target.withBody.flatMap((route) =>
      mutationsOf(route.body as Schema).map(({ label, value }) => ({
        ...shotAt(route),
        label,
        headers: JSON_TYPE,
        body: JSON.stringify(value)
      }))
    )
    assert.ok(shots.length > 200, `only ${shots.length} mutations were found`)
    await target.fireAll(shots, (hit, where) => {
      const code = assertProblem(hit, where)
      if (where.endsWith(OF_ANY_TYPE)) return code
      if (isRegistry(where)) return code // which says of some of it what Confluent's says
      assert.equal(code, 'invalid_request', where)
      assert.ok(JSON.parse(hit.text).errors.length > 0, where)
      return code
    })
  })

  it('leaves the server as it was', () => target.assertSound())
})
