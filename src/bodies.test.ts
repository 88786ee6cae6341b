import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Area, AreaNeeds } from './area.ts'
import { Bodies } from './bodies.ts'

/** An area whose first so many bodies fail to start. */
function setUp(failures: number, stopFails = false) {
  const done: string[] = []
  let built = 0
  const area: Area = {
    name: 'things',
    about: '',
    paths: [],
    load: async () => () => {
      const nth = ++built
      return {
        routes: [],
        service: nth,
        async start() {
          done.push(`start ${nth}`)
          if (nth <= failures) throw new Error(`body ${nth} does not start`)
        },
        async stop() {
          done.push(`stop ${nth}`)
          if (stopFails) throw new Error(`body ${nth} does not stop`)
        }
      }
    }
  }
  return { done, bodies: new Bodies([area], () => ({}) as AreaNeeds) }
}

describe('the body of an area that does not start', () => {
  it('is stopped, and the next who asks gets another one', async () => {
    const { done, bodies } = setUp(2)
    await assert.rejects(bodies.get('things'), /body 1 does not start/)
    await assert.rejects(bodies.get('things'), /body 2 does not start/)
    assert.deepEqual(bodies.names(), [])
    assert.equal((await bodies.get('things')).service, 3)
    assert.deepEqual(done, ['start 1', 'stop 1', 'start 2', 'stop 2', 'start 3'])
    assert.deepEqual(
      (await bodies.close()).map(({ body }) => body.service),
      [3]
    )
  })

  it('says why it did not, though it does not stop either', async () => {
    const { done, bodies } = setUp(1, true)
    await assert.rejects(bodies.get('things'), /body 1 does not start/)
    assert.deepEqual(done, ['start 1', 'stop 1'])
    assert.deepEqual(await bodies.close(), [])
  })
})
