import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { TrialPlaces } from './trial-places.ts'

const never = new AbortController().signal

describe('places for trials', () => {
  it('leave room for checks and for others, and turn away at once who asks for too much', async () => {
    const places = new TrialPlaces()
    const begun: string[] = []
    const leaves: (() => void)[] = []
    const asked = Array.from({ length: 40 }, async () => {
      leaves.push(await places.enter('preview', 'greedy', never))
      begun.push('greedy')
    })
    const refused = (await Promise.allSettled(asked.slice(5))).map((one) => one.status)
    assert.deepEqual([...new Set(refused)], ['rejected'])
    assert.deepEqual(begun, ['greedy'])
    leaves.push(await places.enter('preview', 'other', never), await places.enter('check', 'greedy', never))
    // All are taken: the next waits, and goes before whoever came later.
    const late = new AbortController()
    const check = places.enter('check', 'third', late.signal)
    late.abort(new Error('late'))
    await assert.rejects(check, /late/)
    for (let left = leaves.shift(); left !== undefined; left = leaves.shift()) {
      left()
      await nextTurn()
    }
    assert.equal(begun.length, 5)
    ;(await places.enter('check', 'third', never))()
  })

  it('are never more than there are, nor more than one for each caller and kind, and all who wait get one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ kind: fc.constantFrom('check', 'preview'), caller: fc.constantFrom('a', 'b', 'c', 'd') })),
        async (all) => {
          const places = new TrialPlaces()
          const running: string[] = []
          let [ended, refused] = [0, 0]
          const one = async ({ kind, caller }: (typeof all)[number]) => {
            const leave = await places.enter(kind as 'check', caller, never).catch(() => undefined)
            if (leave === undefined) {
              refused += 1
              return
            }
            const own = `${kind} ${caller}`
            assert.ok(!running.includes(own))
            running.push(own)
            assert.ok(running.length <= 3 && running.filter((name) => name.startsWith('preview')).length <= 2)
            await nextTurn()
            running.splice(running.indexOf(own), 1)
            leave()
            ended += 1
          }
          await Promise.all(all.map(one))
          assert.equal(ended + refused, all.length)
          if (all.length <= 5) assert.equal(refused, 0)
        }
      )
    ))
})
