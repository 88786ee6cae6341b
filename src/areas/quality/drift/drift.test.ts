import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RuleConfig } from '../rules/schema.ts'
import { driftOf, type KnownBaseline } from './drift.ts'
import { judgeDrift } from './judge.ts'
import type { Cells, Shape } from './shape.ts'

const shape = (counts: readonly number[], more: Partial<Shape> = {}): Shape => ({
  counts,
  notNumbers: 0,
  nulls: 0,
  mean: null,
  min: null,
  max: null,
  strangers: [],
  ...more
})
const baseline = (cells: Cells, before: Shape): KnownBaseline => ({
  id: 'qb_1',
  column: 'x',
  cells,
  shape: before,
  isOpen: true
})

describe('what has moved', () => {
  it('is told by bins, by what lies beyond them, and by what is no number', () => {
    // One bin below 0, then 0 itself, up to 10, up to 1000001.5, and above.
    const cells: Cells = { kind: 'number', bounds: [-5e-324, 0, 10, 1000001.5], values: [] }
    const before = shape([0, 50, 25, 25, 0], { mean: 100, min: 0, max: 1000001.5, nulls: 100 })
    const now = shape([10, 20, 25, 25, 10], { mean: 200, min: -4, max: 2e6, notNumbers: 10 })
    const { drift, measured } = driftOf(baseline(cells, before), now, 'ks')
    assert.deepEqual(drift.moved, [
      { what: '0', before: 50, now: 20 },
      { what: 'below 0', before: 0, now: 10 },
      { what: 'above 1000001.5', before: 0, now: 10 },
      { what: 'NaN', before: 0, now: 10 }
    ])
    assert.deepEqual(
      [drift.nulls, drift.rows],
      [
        { before: 50, now: 0 },
        { before: 100, now: 100 }
      ]
    )
    assert.deepEqual(drift.mean, { before: 100, now: 200 })
    // 0 and 10 %, 50 and 30 %, 75 and 55 %, 100 and 80 %, 100 and 90 %.
    assert.equal(Math.round(measured * 1e9) / 1e9, 0.2)
    const median = drift.quantiles.find(({ rank }) => rank === 0.5)
    assert.deepEqual(median, { rank: 0.5, before: 0, now: 6 })
  })

  it('has times as times', () => {
    const us = (day: number) => Date.UTC(2026, 0, day) * 1000
    const cells: Cells = { kind: 'time', bounds: [us(1), us(2), us(9)], values: [] }
    const before = shape([5, 50, 45, 0], { mean: us(3), min: us(1), max: us(9) })
    const { drift } = driftOf(
      baseline(cells, before),
      shape([5, 5, 90, 0], { mean: us(5), min: us(1), max: us(9) }),
      'psi'
    )
    assert.deepEqual(drift.mean, { before: '2026-01-03T00:00:00.000Z', now: '2026-01-05T00:00:00.000Z' })
    assert.equal(drift.moved[0]?.what, 'above 2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z')
  })

  it('names new values only where the baseline had room for all that there were', () => {
    const cells: Cells = { kind: 'category', bounds: [], values: ['a', 'b'] }
    const now = shape([5, 5, 90], { strangers: ['c'] })
    assert.deepEqual(driftOf(baseline(cells, shape([50, 50, 0])), now, 'chiSquare').drift.newValues, ['c'])
    assert.deepEqual(driftOf(baseline(cells, shape([50, 49, 1])), now, 'chiSquare').drift.newValues, [])
  })
})

describe('a judgement of drift', () => {
  const cells: Cells = { kind: 'category', bounds: [], values: ['a', 'b'] }
  const counted = (a: number, b: number) => ({
    checked: a + b,
    failed: 0,
    value: null,
    shape: {
      counts: [
        { key: 'a', value: a },
        { key: 'b', value: b }
      ],
      nulls: 0
    }
  })
  const judged = (config: RuleConfig, a: number, b: number) =>
    judgeDrift({ column: 'x', ...config }, baseline(cells, shape([500, 500, 0])), counted(a, b))

  it('is by how much, unless chance could have done it, and none of no rows', () => {
    const status = (config: RuleConfig, a: number, b: number) => judged(config, a, b)?.status
    assert.equal(status({}, 520, 480), 'passed')
    assert.equal(status({}, 700, 300), 'failed')
    assert.equal(status({ maxDrift: 0.3 }, 700, 300), 'passed')
    assert.equal(status({ maxDrift: 0.3, warnDrift: 0.1 }, 700, 300), 'warned')
    assert.equal(status({ warnDrift: 0.1 }, 1000, 0), 'warned')
    assert.deepEqual([status({}, 7, 3), judged({}, 7, 3)?.reason?.code], ['passed', 'drift'])
    assert.equal(judged({}, 0, 0), undefined)
  })
})
