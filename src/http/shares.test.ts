import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Shares } from './shares.ts'

const HOLDERS = ['ada', 'bob', 'eve', 'dan']
const step = fc.record({
  holder: fc.constantFrom(...HOLDERS),
  takes: fc.boolean(),
  count: fc.integer({ min: 1, max: 3 })
})

describe('shares', () => {
  it('never give anybody more than was free before, and lose no place', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 200 }), (size, steps) => {
        const shares = new Shares(size)
        const held = new Map(HOLDERS.map((holder) => [holder, 0]))
        const of = (holder: string) => held.get(holder) as number
        for (const { holder, takes, count } of steps) {
          const free = size - [...held.values()].reduce((sum, count) => sum + count, 0)
          if (takes) {
            const expected = free < count ? 'full' : of(holder) + count <= free ? 'taken' : 'share'
            assert.equal(shares.take(holder, count), expected)
            if (expected === 'taken') held.set(holder, of(holder) + count)
          } else {
            shares.giveBack(holder, count)
            held.set(holder, Math.max(0, of(holder) - count))
          }
          assert.equal(shares.heldBy(holder), of(holder))
          const most = Math.max(...held.values())
          assert.equal(most === 0 ? undefined : most, shares.largest() && of(shares.largest() as string))
        }
      })
    )
  })

  it('leave room for whoever comes next, as much as each of the others has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 2000 }), (greedy, size) => {
        const shares = new Shares(size)
        const names = Array.from({ length: greedy }, (_, n) => `greedy ${n}`)
        for (let isMoving = true; isMoving; ) {
          isMoving = false
          for (const name of names) if (shares.take(name) === 'taken') isMoving = true
        }
        const most = Math.max(...names.map((name) => shares.heldBy(name)))
        const free = size - names.reduce((sum, name) => sum + shares.heldBy(name), 0)
        assert.ok(free >= 1 && free <= most && most - free <= greedy, `${free} free, ${most} at most`)
        assert.equal(shares.take('next'), 'taken')
      })
    )
  })
})
