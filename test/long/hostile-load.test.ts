// Once: what is sent never gets as far as the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { exampleOf, hugeBodies, type Schema } from '../support/hostile-bodies.ts'
import { assertHarmless } from '../support/hostile-client.ts'
import {
  assertRefused,
  JSON_TYPE,
  MAX_BODY_BYTES,
  openTarget,
  pathOf,
  shotAt,
  type Target
} from '../support/hostile-shots.ts'

describe('hostile load', () => {
  let target: Target

  before(async () => {
    target = await openTarget()
  })
  after(() => target.close())

  it('refuses bodies that are huge, at every operation', async () => {
    for (const route of target.withBody) {
      for (const [label, body] of hugeBodies(exampleOf(route.body as Schema), MAX_BODY_BYTES)) {
        assertRefused(await target.client.fire({ ...shotAt(route), headers: JSON_TYPE, body }), route, label)
      }
    }
  })

  it('leaves the server as it was: sound, answering, and no larger', async () => {
    const quick = target.routes.filter((route) => route.operationId !== 'verifyAudit')
    const round = async () => {
      const shots = quick.flatMap((route) => [
        { ...shotAt(route), label: 'no body', headers: JSON_TYPE },
        { ...shotAt(route), label: 'garbage', headers: JSON_TYPE, body: '{"a":[[[' },
        { ...shotAt(route), label: 'nested', headers: JSON_TYPE, body: '['.repeat(100_000) },
        { ...shotAt(route), label: 'token', headers: { authorization: `Bearer ${Math.random()}` } },
        { ...shotAt(route), path: `${pathOf(route)}?a${Math.random()}=1`, label: 'query' },
        { ...shotAt(route), path: pathOf(route, `x${Math.random()}`), label: 'id' }
      ])
      for (let i = 0; i < 2; i++) await target.fireAll(shots, assertHarmless)
    }
    const sizes: number[] = []
    for (let i = 0; i < 5; i++) {
      await round()
      target.test.logged.length = 0
      sizes.push(heapAfterGc())
    }
    const [, settled = 0] = sizes
    assert.ok((sizes.at(-1) as number) - settled < 4_000_000, `the heap grows: ${sizes.join(' ')}`)
    await target.assertSound()
  })
})

function heapAfterGc(): number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  return process.memoryUsage().heapUsed
}
