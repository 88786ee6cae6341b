import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { Turns } from './turns.ts'

/** Turns of which all that begin at once are used up, so that everybody after has to wait. */
function exhausted(clock = new ManualClock()): Turns {
  const turns = new Turns(clock)
  while (turns.take());
  return turns
}

describe('turns', () => {
  it('are free for some at once, and again after everybody had theirs', async () => {
    const turns = exhausted()
    let done = 0
    turns.wait('a', () => done++)
    assert.equal(turns.take(), false)
    await nextTurn()
    assert.equal(done, 1)
    assert.equal(turns.take(), true)
  })

  it('come to all who wait, to each holder in its order, and to one after the other of the holders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 }), async (holders) => {
        const turns = exhausted()
        const done: { holder: string; n: number }[] = []
        for (const [n, holder] of holders.entries()) turns.wait(holder, () => done.push({ holder, n }))
        await nextTurn()
        assert.equal(done.length, holders.length)
        for (const holder of new Set(holders)) {
          const own = done.filter((one) => one.holder === holder)
          assert.deepEqual(
            own.map(({ n }) => n),
            own.map(({ n }) => n).toSorted((a, b) => a - b)
          )
          // Before its k-th, nobody else had more than k.
          for (const [k, { n }] of own.entries()) {
            const before = done.slice(
              0,
              done.findIndex((one) => one.n === n)
            )
            for (const other of new Set(holders)) {
              assert.ok(before.filter((one) => one.holder === other).length <= k + 1)
            }
          }
        }
      })
    )
  })

  it('are short: what takes long leaves room for everything else in between', async () => {
    const clock = new ManualClock()
    const turns = exhausted(clock)
    let done = 0
    for (let n = 0; n < 10; n++) {
      turns.wait('a', () => {
        done++
        clock.advance(3)
      })
    }
    await nextTurn()
    assert.equal(done, 2)
    // Somebody else comes, and is next but one.
    let isDone = false
    turns.wait('b', () => {
      isDone = true
    })
    await nextTurn()
    assert.equal(isDone, true)
    assert.ok(done <= 4)
    while (done < 10) await nextTurn()
  })
})
