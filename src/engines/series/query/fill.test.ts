import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillRows } from './fill.ts'
import { unknownTag } from './pick-rows.ts'
import type { Fill, SeriesFunction } from './plan.ts'
import type { TagRows } from './rows.ts'
import { rowsOf } from './testing/rows.ts'

const STARTS = Float64Array.from([0, 10, 20, 30, 40, 50])
const some = rowsOf([10, 40], [1, 7], { counts: Float64Array.from([3, 2]), percentGood: Float64Array.from([100, 50]) })

function fill(rows: TagRows, how: Fill, name: SeriesFunction = 'avg') {
  const filled = fillRows(rows, { fill: how, functions: [name] }, STARTS)
  const values = Array.from(filled.columns[0] ?? [], (value) => (Number.isNaN(value) ? null : value))
  return { ...filled, values }
}

describe('filling', () => {
  it('leaves gaps, or gives them null, what was before, or what is on the line between', () => {
    assert.deepEqual(fill(some, 'none').values, [1, 7])
    assert.deepEqual(fill(some, 'null').values, [null, 1, null, null, 7, null])
    assert.deepEqual(fill(some, 'previous').values, [null, 1, 1, 1, 7, 7])
    assert.deepEqual(fill(some, 'linear').values, [null, 1, 3, 5, 7, null])
  })

  it('counts no points in what it made, and knows no share of good ones', () => {
    const filled = fill(some, 'previous')
    assert.deepEqual(Array.from(filled.counts ?? []), [0, 3, 0, 0, 2, 0])
    assert.deepEqual(Array.from(filled.percentGood ?? []), [Number.NaN, 100, Number.NaN, Number.NaN, 50, Number.NaN])
    for (const how of ['null', 'previous', 'linear'] as const) {
      assert.deepEqual(fill(some, how, 'count').values, [0, 1, 0, 0, 7, 0])
    }
  })

  it('draws no line between truth values or texts', () => {
    assert.deepEqual(fill({ ...some, type: 'boolean' }, 'linear', 'last').values, [null, 1, 1, 1, 7, 7])
    assert.deepEqual(fill({ ...some, type: 'boolean' }, 'linear', 'avg').values, [null, 1, 3, 5, 7, null])
    const texts = rowsOf([10, 40], [null, null], { type: 'string', exact: [['on', 'off']] })
    assert.deepEqual(fill(texts, 'linear', 'first').exact, [[undefined, 'on', 'on', 'on', 'off', 'off']])
  })

  it('makes up no value for points that have none', () => {
    const rows = rowsOf([10, 20, 40], [1, null, 7])
    assert.deepEqual(fill(rows, 'previous', 'stddev').values, [null, 1, null, 1, 7, 7])
    assert.deepEqual(fill(rows, 'linear', 'stddev').values, [null, 1, null, 5, 7, null])
  })

  it('repeats a whole number exactly, and not beyond the next', () => {
    const rows = rowsOf([10, 40], [2 ** 60, 7], { type: 'integer', exact: [[2n ** 60n + 1n, undefined]] })
    const big = 2n ** 60n + 1n
    assert.deepEqual(fill(rows, 'previous', 'last').exact, [[undefined, big, big, big, undefined, undefined]])
  })

  it('gives a tag without points rows of null, and an unknown one none', () => {
    assert.deepEqual(fill(rowsOf([], []), 'linear').values, [null, null, null, null, null, null])
    assert.equal(fill(rowsOf([], []), 'none').length, 0)
    assert.equal(fill(unknownTag('x'), 'null').length, 0)
  })
})
