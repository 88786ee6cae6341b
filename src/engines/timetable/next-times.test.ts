import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seeded } from '../seeded-random.ts'
import { compareOnDay, compareUnchanged, compareWithParser, makeClocks } from './testing/comparison.ts'
import { anyExpression } from './testing/expressions.ts'

/** A part of what next-times.long.test.ts compares. */
describe('next times', () => {
  const clocks = makeClocks()

  it('are those of a clock that is watched minute by minute, at changes of 20 zones', () => {
    const random = seeded(45)
    const effects = new Set<string | undefined>()
    for (const { clock, dayOf } of clocks) {
      for (const change of clock.changes.slice(0, 4)) {
        const day = dayOf(change)
        for (let i = 0; i < 10; i++) {
          for (const due of compareOnDay(random, anyExpression(random), clock, day)) effects.add(due.effect)
        }
      }
    }
    assert.equal(effects.size, 5)
  })

  it('are those that are found by looking at every day', () => {
    const random = seeded(49)
    for (let i = 0; i < 300; i++) compareUnchanged(random, anyExpression(random))
  })

  it('are those of cron-parser on clocks that show the same', () => {
    const random = seeded(46)
    for (let i = 0; i < 20; i++) {
      const expression = anyExpression(random)
      const some = clocks.filter((_, place) => place % 5 === i % 5).map(({ clock }) => clock)
      if (expression.classic) compareWithParser(random, expression, some)
    }
  })
})
