// Once: what areas cost that nobody uses. `npm run bench -- api` holds the time that they take to its limit.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { MadeUpAreas } from '../support/made-up/measure.ts'

const MAX_MB = 4

describe('twenty areas of thirty routes that nobody uses', () => {
  const areas = new MadeUpAreas(20)
  after(() => areas.remove())

  it('take next to no memory', async () => {
    const { moreMb } = await areas.cost()
    assert.ok(moreMb < MAX_MB, `${moreMb.toFixed(1)} MB more`)
  })

  it('are served when somebody does', () =>
    areas.withServer(true, async ({ url }) => {
      assert.equal((await fetch(`${url}/api/made-up-7/route-3/x`)).status, 401)
      assert.equal((await fetch(`${url}/api/made-up-7/other`)).status, 404)
    }))
})
