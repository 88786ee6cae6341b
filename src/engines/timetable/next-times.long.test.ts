import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tries } from '../../../test/support/thorough.ts'
import { seeded } from '../seeded-random.ts'
import { compareOnDay, compareUnchanged, compareWithParser, makeClocks } from './testing/comparison.ts'
import { anyExpression } from './testing/expressions.ts'

const EXPRESSIONS = tries(2500, 10_000)

describe(`next times of ${EXPRESSIONS} expressions in 20 zones`, () => {
  const clocks = makeClocks()

  it('are those of a clock that is watched minute by minute, at every change from 2020 to 2030', () => {
    const random = seeded(47)
    const compared = new Map<string, number>()
    for (let i = 0; i < EXPRESSIONS; i++) {
      const expression = anyExpression(random)
      for (const { clock, dayOf } of clocks) {
        // A zone that changes no clocks has its days as well.
        const days = clock.changes.length > 0 ? clock.changes : [Date.UTC(2024, 2, 31) / 60_000]
        for (const { effect } of compareOnDay(random, expression, clock, dayOf(days[i % days.length] as number))) {
          compared.set(effect ?? 'none', (compared.get(effect ?? 'none') ?? 0) + 1)
        }
      }
    }
    // Nothing was compared of days that do not fit; much was of the others.
    for (const effect of ['none', 'moved', 'first-of-two', 'second-of-two', 'only-first']) {
      assert.ok((compared.get(effect) ?? 0) > EXPRESSIONS, `${effect}: ${compared.get(effect)}`)
    }
  })

  it('are those that are found by looking at every day', () => {
    const random = seeded(50)
    for (let i = 0; i < EXPRESSIONS; i++) compareUnchanged(random, anyExpression(random))
  })

  it('are those of cron-parser on clocks that show the same', () => {
    const random = seeded(48)
    for (let i = 0; i < EXPRESSIONS; i++) {
      const expression = anyExpression(random)
      const some = clocks.filter((_, place) => place % 10 === i % 10).map(({ clock }) => clock)
      if (expression.classic) compareWithParser(random, expression, some)
    }
  })
})
