// Once: what is sent never gets as far as the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { BAD_MEDIA_TYPES } from '../support/hostile-addresses.ts'
import { brokenBodies, exampleOf, hugeBodies, type Schema } from '../support/hostile-bodies.ts'
import { assertProblem } from '../support/hostile-client.ts'
import { assertRefused, JSON_TYPE, MAX_BODY_BYTES, openTarget, shotAt, type Target } from '../support/hostile-shots.ts'

describe('hostile bodies', () => {
  let target: Target

  before(async () => {
    target = await openTarget()
  })
  after(() => target.close())

  it('refuses bodies of another type', async () => {
    await target.fireAll(
      target.withBody.flatMap((route) =>
        BAD_MEDIA_TYPES.filter((type) => !route.foreign?.bodyTypes?.includes(type ?? '')).map((type) => ({
          ...shotAt(route),
          label: `as ${type}`,
          headers: type === undefined ? {} : { 'content-type': type },
          body: JSON.stringify(exampleOf(route.body as Schema))
        }))
      ),
      (hit, where) => {
        assert.equal(hit.status, 415, where)
        return assertProblem(hit, where)
      }
    )
  })

  it('refuses bodies that are broken', async () => {
    for (const route of target.withBody) {
      const mayBeLeftOut = [(route.body as Schema).type].flat().includes('null')
      for (const [label, body] of brokenBodies(exampleOf(route.body as Schema))) {
        if (mayBeLeftOut && ['is empty', 'is null'].includes(label)) continue
        assertRefused(await target.client.fire({ ...shotAt(route), headers: JSON_TYPE, body }), route, label)
      }
    }
  })

  it('refuses bodies that are huge, in each of the ways in which operations take them', async () => {
    const ways = Map.groupBy(target.withBody, ({ foreign, tooLarge }) => `${foreign !== undefined} ${tooLarge}`)
    for (const [route] of ways.values()) {
      if (route === undefined) continue
      for (const [label, body] of hugeBodies(exampleOf(route.body as Schema), MAX_BODY_BYTES)) {
        assertRefused(await target.client.fire({ ...shotAt(route), headers: JSON_TYPE, body }), route, label)
      }
    }
  })

  it('refuses bodies where none is needed', async () => {
    const shots = target.routes
      .filter((route) => route.body === undefined && route.method !== 'GET')
      .flatMap((route) =>
        ['{"a":1}', '[]', '"x"', '{', '\0', '{"__proto__":1}'].map((body) => ({
          ...shotAt(route),
          label: body,
          headers: JSON_TYPE,
          body
        }))
      )
    await target.fireAll(shots, assertProblem)
  })

  it('leaves the server as it was', () => target.assertSound())
})
