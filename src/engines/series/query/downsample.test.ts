import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { downsample } from './downsample.ts'
import { rowsOf } from './testing/rows.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** The algorithm as its author describes it, written to be read. */
function naive(points: readonly Point[], limit: number): Point[] {
  const inner = points.slice(1, -1)
  const edge = (group: number) => Math.floor((group * inner.length) / (limit - 2))
  const groups = Array.from({ length: limit - 2 }, (_, group) => inner.slice(edge(group), edge(group + 1)))
  groups.push(points.slice(-1))
  const taken = points.slice(0, 1)
  for (let group = 0; group < limit - 2; group++) {
    const a = taken.at(-1) as Point
    const next = groups[group + 1] as Point[]
    const c = { x: mean(next.map((point) => point.x)), y: mean(next.map((point) => point.y)) }
    const areas = (groups[group] as Point[]).map((b) => Math.abs((a.x - c.x) * (b.y - a.y) - (a.x - b.x) * (c.y - a.y)))
    taken.push((groups[group] as Point[])[areas.indexOf(Math.max(...areas))] as Point)
  }
  return [...taken, points.at(-1) as Point]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const series = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.option(fc.integer({ min: -100, max: 100 }), { freq: 4 })), {
    minLength: 1,
    maxLength: 200,
    size: 'max'
  })
  .map((steps) => {
    let ms = 1_700_000_000_000
    return rowsOf(
      steps.map(([step]) => (ms += step)),
      steps.map(([, value]) => value)
    )
  })

const valued = (rows: ReturnType<typeof rowsOf>) =>
  Array.from(rows.ms).filter((_, row) => !Number.isNaN(rows.columns[0]?.[row]))

describe('downsampling', () => {
  it('takes the largest triangles', () => {
    const value = fc.constantFrom(1, 1000).chain((reach) => fc.integer({ min: -reach, max: reach }))
    const values = fc.array(value, { minLength: 4, maxLength: 300, size: 'max' })
    fc.assert(
      fc.property(values, fc.integer({ min: 3, max: 60 }), (ys, limit) => {
        fc.pre(ys.length > limit)
        const points = ys.map((y, place) => ({ x: place * 1000, y }))
        const rows = downsample(
          rowsOf(
            points.map(({ x }) => x),
            ys
          ),
          limit
        )
        assert.deepEqual(
          Array.from(rows.ms, (x, row) => ({ x, y: rows.columns[0]?.[row] })),
          naive(points, limit)
        )
      })
    )
  })

  it('gives at most so many rows of those there are, in their order, with the first and the last value', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 80 }), (rows, limit) => {
        const fewer = downsample(rows, limit)
        assert.ok(fewer.length <= limit && fewer.length === fewer.ms.length && fewer.length > 0)
        const places = Array.from(fewer.ms, (ms) => rows.ms.indexOf(ms))
        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b).filter((place, at, all) => place !== all[at - 1])
        )
        assert.deepEqual(
          Array.from(fewer.columns[0] ?? []),
          places.map((place) => rows.columns[0]?.[place])
        )
        if (rows.length <= limit) assert.equal(fewer.length, rows.length)
        assert.equal(valued(fewer)[0], valued(rows)[0])
        if (limit > 1) assert.equal(valued(fewer).at(-1), valued(rows).at(-1))
      })
    )
  })

  it('shows each gap once', () => {
    const rows = rowsOf([0, 1, 2, 3, 4, 5, 6, 7, 8], [1, null, null, 2, 3, null, null, null, 4])
    assert.deepEqual(Array.from(downsample(rows, 6).ms), [0, 1, 3, 4, 5, 8])
    assert.deepEqual(
      Array.from(downsample(rows, 4).ms).filter((ms) => ms === 1),
      [],
      'the longer gap has the only place'
    )
    assert.ok(downsample(rows, 4).ms.includes(5))
  })

  it('takes all that belongs to a row', () => {
    const rows = rowsOf([0, 1, 2], [1, 2, 3], {
      subMsNs: Uint32Array.from([0, 5, 7]),
      quality: Uint8Array.from([0, 1, 2]),
      exact: [[undefined, 5n, 9n]],
      counts: Float64Array.from([4, 5, 6]),
      percentGood: Float64Array.from([100, 90, 80])
    })
    const fewer = downsample(rows, 2)
    assert.deepEqual(Array.from(fewer.subMsNs ?? []), [0, 7])
    assert.deepEqual(Array.from(fewer.quality ?? []), [0, 2])
    assert.deepEqual(fewer.exact, [[undefined, 9n]])
    assert.deepEqual(Array.from(fewer.counts ?? []), [4, 6])
    assert.deepEqual(Array.from(fewer.percentGood ?? []), [100, 80])
  })

  it('takes texts at even distances', () => {
    const texts = rowsOf([0, 1, 2, 3, 4], [null, null, null, null, null], {
      type: 'string',
      exact: [['a', 'b', 'c', 'd', 'e']]
    })
    assert.deepEqual(downsample(texts, 3).exact, [['a', 'c', 'e']])
    assert.deepEqual(downsample(texts, 1).exact, [['a']])
  })
})
