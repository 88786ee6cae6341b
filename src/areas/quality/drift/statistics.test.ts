import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chiSquare, cramersV, ksDistance, ksPValue, psi, sum, upperGamma } from './statistics.ts'

const close = (found: number, expected: number, within: number) =>
  assert.ok(Math.abs(found - expected) <= within, `${found} is not ${expected}`)

describe('statistics of drift', () => {
  it('have the critical values of published tables', () => {
    // Degrees of freedom, and the values that chi-square passes in 5 % and in 1 % of all cases.
    for (const [degrees, fivePercent, onePercent] of [
      [1, 3.841, 6.635],
      [2, 5.991, 9.21],
      [5, 11.07, 15.086],
      [10, 18.307, 23.209],
      [30, 43.773, 50.892],
      [100, 124.342, 135.807]
    ] as const) {
      close(upperGamma(degrees / 2, fivePercent / 2), 0.05, 2e-5)
      close(upperGamma(degrees / 2, onePercent / 2), 0.01, 2e-5)
    }
    // Kolmogorov’s distribution: 1.3581 and 1.6276 for samples without end.
    close(ksPValue(1.3581 / Math.sqrt(5e9), 1e10, 1e10), 0.05, 2e-5)
    close(ksPValue(1.6276 / Math.sqrt(5e9), 1e10, 1e10), 0.01, 2e-5)
    assert.equal(ksPValue(0, 10, 10), 1)
    // Small samples: Smirnov’s exact distribution for 8 and 8 rows has P(D ≥ 6/8) = 0.0186.
    close(ksPValue(6 / 8, 8, 8), 0.0186, 0.005)
  })

  it('are what was computed by hand', () => {
    // p = (10.5/21, 10.5/21), q = (15.5/21, 5.5/21): (5/21) · ln(31/21) + (−5/21) · ln(11/21)
    close(psi([10, 10], [15, 5]), (5 / 21) * Math.log(31 / 21) - (5 / 21) * Math.log(11 / 21), 1e-12)
    // Distribution functions 0.2, 0.5, 1 and 0.5, 0.6, 1.
    close(ksDistance([2, 3, 5], [5, 1, 4]), 0.3, 1e-12)
    // Ten men and women each, of whom 8 and 3 say yes: (8−5.5)²/5.5 · 2 + (2−4.5)²/4.5 · 2
    const { statistic, degrees, pValue } = chiSquare([8, 2], [3, 7])
    close(statistic, 2 * (2.5 ** 2 / 5.5) + 2 * (2.5 ** 2 / 4.5), 1e-12)
    assert.equal(degrees, 1)
    close(pValue, 0.0246, 5e-5)
    close(cramersV([8, 2], [3, 7]), Math.sqrt(statistic / 20), 1e-12)
    assert.equal(cramersV([5, 0], [0, 900]), 1)
    assert.deepEqual(chiSquare([5, 0], [7, 0]), { statistic: 0, degrees: 0, pValue: 1 })
  })

  const counts = fc.integer({ min: 1, max: 12 }).chain((length) => {
    const cells = fc.array(fc.nat(1000), { minLength: length, maxLength: length }).filter((cells) => sum(cells) > 0)
    return fc.tuple(cells, cells)
  })

  it('are nothing for the same shares, the same both ways, and never out of bounds', () => {
    fc.assert(
      fc.property(counts, ([before, now]) => {
        for (const distance of [psi, ksDistance, cramersV]) {
          const found = distance(before, now)
          assert.ok(found >= -1e-12 && Number.isFinite(found))
          close(distance(now, before), found, 1e-9)
          close(distance(before, before), 0, 1e-12)
          if (distance !== psi) assert.ok(found <= 1)
        }
        const { pValue } = chiSquare(before, now)
        assert.ok(pValue >= 0 && pValue <= 1)
      })
    )
  })

  it('have a distance that a naive search over all values finds', () => {
    fc.assert(
      fc.property(counts, ([before, now]) => {
        const share = (cells: readonly number[], upTo: number) => sum(cells.slice(0, upTo + 1)) / sum(cells)
        const naive = before.map((_, at) => Math.abs(share(before, at) - share(now, at)))
        close(ksDistance(before, now), Math.max(...naive), 1e-12)
      })
    )
  })
})
