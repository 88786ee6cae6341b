import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Frame, PanelPicture } from '../picture.ts'
import { bucketsOf } from './buckets.ts'
import { bridged, gridOf, stackedRows } from './grid.ts'
import { reduced } from './reduce.ts'
import { lastOf, type Series, seriesOf, spanOf } from './series.ts'

const panelOf = (frames: readonly Frame[], more: Partial<PanelPicture> = {}): PanelPicture => ({
  type: 'line',
  title: '',
  frames,
  options: {},
  timeZone: 'UTC',
  ...more
})

function frame(name: string, times: readonly (number | null)[], ...columns: (number | null | boolean)[][]): Frame {
  return {
    name,
    columns: [
      { name: 'time', type: 'time' },
      ...columns.map((_, i) => ({ name: `c${i}`, type: 'number', unit: 'V' }) as const)
    ],
    values: [times, ...columns]
  }
}

const series = (ys: readonly number[], xs: readonly number[] = ys.map((_, i) => i)): Series => ({
  name: 's',
  unit: undefined,
  xs: Float64Array.from(xs),
  ys: Float64Array.from(ys)
})

describe('series of frames', () => {
  it('are the columns of numbers, sorted by time, within the range', () => {
    const given = frame('a', [30, 10, null, 20, 99], [3, 1, 7, Number.NaN, 9])
    const { series } = seriesOf(panelOf([given], { timeRange: { fromMs: 0, toMs: 50 } }))
    assert.deepEqual([series[0]?.name, series[0]?.unit], ['a', 'V'])
    assert.deepEqual([...(series[0]?.xs ?? [])], [10, 20, 30])
    assert.deepEqual([...(series[0]?.ys ?? [])], [1, Number.NaN, 3])
    assert.equal(lastOf(series[0] as Series), 3)
  })

  it('are named by their frames, their columns or both', () => {
    const names = (frames: Frame[]) => seriesOf(panelOf(frames)).series.map(({ name }) => name)
    assert.deepEqual(names([frame('a', [1], [1]), frame('b', [1], [1])]), ['a', 'b'])
    assert.deepEqual(names([frame('a', [1], [1], [2])]), ['c0', 'c1'])
    assert.deepEqual(names([frame('a', [1], [1], [2]), frame('b', [1], [1])]), ['a c0', 'a c1', 'b'])
  })

  it('are counted where there are too many', () => {
    const many = Array.from({ length: 250 }, (_, i) => frame(`s${i}`, [1], [i]))
    const { series, more } = seriesOf(panelOf(many))
    assert.deepEqual([series.length, more], [200, 50])
  })

  it('stand over names where there are no times', () => {
    const given: Frame = {
      name: '',
      columns: [
        { name: 'city', type: 'text' },
        { name: 'people', type: 'number' }
      ],
      values: [
        ['Ulm', null],
        [1, 2]
      ]
    }
    assert.deepEqual(seriesOf(panelOf([given])).categories, ['Ulm', '2'])
  })
})

describe('a series with too many points', () => {
  it('keeps its ends, its least and its greatest, and no more points than asked for', () => {
    const values = fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(Number.NaN)), {
      minLength: 1,
      maxLength: 400
    })
    fc.assert(
      fc.property(values, fc.integer({ min: 8, max: 100 }), (ys, most) => {
        const points = reduced(series(ys), most)
        assert.ok(points.length <= Math.max(most, 8))
        const drawn = points.map(([, y]) => y).filter((y) => !Number.isNaN(y))
        const all = ys.filter((y) => !Number.isNaN(y))
        assert.deepEqual(spanOf([Float64Array.from(drawn)]), spanOf([Float64Array.from(all)]))
        assert.equal(drawn[0], all[0])
        assert.equal(drawn.at(-1), all.at(-1))
        for (const [i, [x]] of points.entries()) if (i > 0) assert.ok(x >= (points[i - 1]?.[0] as number))
      })
    )
  })

  it('keeps a gap that is wider than a pixel', () => {
    const ys = Array.from({ length: 1000 }, (_, i) => (i >= 400 && i < 500 ? Number.NaN : i))
    assert.ok(reduced(series(ys), 80).some(([, y]) => Number.isNaN(y)))
  })
})

describe('a grid', () => {
  it('has the places of all series, or means where these are too many', () => {
    const exact = gridOf([series([1, 2], [0, 10]), series([3], [5])], 5, 'mean')
    assert.deepEqual(exact.xs, [0, 5, 10])
    assert.equal(exact.width, 5)
    assert.deepEqual(
      exact.rows.map((row) => [...row]),
      [
        [1, Number.NaN, 2],
        [Number.NaN, 3, Number.NaN]
      ]
    )
    const far = gridOf([series([1, -3, 2, Number.NaN])], 2, 'farthest')
    assert.deepEqual([...(far.rows[0] as Float64Array)], [-3, 2])
    const coarse = gridOf([series([1, 3, 5, 7])], 2, 'mean')
    assert.deepEqual([...(coarse.rows[0] ?? [])], [2, 6])
  })

  it('counts each value within the span once, in ranges from the greatest down', () => {
    const grid = bucketsOf([series([0, 5, 10]), series([9.9, -1, Number.NaN])], { from: 0, to: 10 }, 2, 5)
    const none = Number.NaN
    assert.deepEqual(
      grid.rows.map((row) => [...row]),
      [
        [1, 1, 1],
        [1, none, none]
      ]
    )
    const numbers = fc.array(fc.double({ min: -1e300, max: 1e300, noNaN: true }), { minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 20 }), (ys, buckets, places) => {
        const span = spanOf([Float64Array.from(ys)]) ?? { from: 0, to: 1 }
        fc.pre(span.to - span.from > 0)
        const counts = bucketsOf([series(ys)], span, buckets, places).rows.flatMap((row) => [...row])
        assert.equal(
          counts.reduce((sum, count) => sum + (count || 0), 0),
          ys.length
        )
      })
    )
  })

  it('is bridged between two values, and nowhere else', () => {
    const row = Float64Array.of(Number.NaN, 1, Number.NaN, Number.NaN, 9, Number.NaN)
    assert.deepEqual([...bridged(row, [0, 10, 20, 40, 50, 60])], [Number.NaN, 1, 3, 7, 9, Number.NaN])
  })

  it('stacks what is above zero upwards and what is below downwards', () => {
    const rows = stackedRows([Float64Array.of(1, -1, Number.NaN), Float64Array.of(2, -2, 4)])
    assert.deepEqual([...(rows[1]?.lower ?? [])], [1, -1, 0])
    assert.deepEqual([...(rows[1]?.upper ?? [])], [3, -3, 4])
    assert.ok(Number.isNaN(rows[0]?.upper[2]))
  })
})
