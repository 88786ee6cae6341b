import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { inTurns } from './turns.ts'

describe('turns', () => {
  it('are had by each item once, with no more under way than said, whoever passes and whatever ends first', async () => {
    const size = fc.integer({ min: 1, max: 5 })
    await fc.assert(
      fc.asyncProperty(
        size,
        size,
        fc.array(fc.boolean(), { maxLength: 30 }),
        fc.gen(),
        async (atOnce, more, passes, pick) => {
          const underWay: (() => void)[] = []
          let [active, begun] = [0, 0]
          const all = inTurns(passes, { atOnce, atMost: atOnce + more }, async (passesOn, pass) => {
            begun++
            active++
            assert.ok(active <= atOnce)
            const { promise, resolve } = Promise.withResolvers<void>()
            underWay.push(resolve)
            assert.ok(underWay.length <= atOnce + more)
            if (passesOn) {
              active--
              pass()
              pass()
            }
            await promise
            if (!passesOn) active--
          })
          while (underWay.length > 0) {
            const at = pick(fc.nat, { max: underWay.length - 1 })
            underWay.splice(at, 1)[0]?.()
            await new Promise((resolve) => setImmediate(resolve))
          }
          await all
          assert.equal(begun, passes.length)
        }
      ),
      { numRuns: 50 }
    )
  })

  it('end with the first that fails', async () => {
    await assert.rejects(
      inTurns([1, 2], { atOnce: 1, atMost: 1 }, async (item) => {
        if (item === 1) throw new Error('no')
      }),
      /no/
    )
  })
})
