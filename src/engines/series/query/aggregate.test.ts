import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TagType } from '../index.ts'
import { TagAggregator } from './aggregate.ts'
import { planOf } from './buckets.ts'
import type { BucketPlan, Query } from './plan.ts'
import { TagReader } from './read.ts'
import { nsOf, segmentsOf, type TestPoint } from './testing/points.ts'
import { queryOf } from './testing/rows.ts'

function aggregate(query: Query, type: TagType, points: readonly TestPoint[]) {
  const aggregator = new TagAggregator(query, planOf(query) as BucketPlan, 'tag', type)
  for (const segment of segmentsOf(points)) aggregator.add(segment)
  return aggregator.finish()
}

function point(iso: string, value: number, exact?: string | bigint, quality = 0): TestPoint {
  return { ns: nsOf(iso), value, quality, exact }
}

describe('an aggregation', () => {
  it('refuses what has no meaning for texts, naming the tag and the function', () => {
    const query = queryOf({ functions: ['count', 'avg'] })
    assert.throws(() => new TagAggregator(query, planOf(query) as BucketPlan, 'state', 'string'), {
      code: 'function_not_applicable',
      facts: { tag: 'state', function: 'avg' }
    })
  })

  it('gives first, last and count of texts', () => {
    const texts = [point('2026-01-01T00:10Z', Number.NaN, 'on'), point('2026-01-01T00:20Z', Number.NaN, 'off')]
    const rows = aggregate(queryOf({ functions: ['first', 'last', 'count'] }), 'string', texts)
    assert.deepEqual(rows.exact, [['on'], ['off'], undefined])
    assert.deepEqual(Array.from(rows.columns[2] as Float64Array), [2])
  })

  it('keeps whole numbers that a double can not hold', () => {
    const query = queryOf({ functions: ['first', 'last'] })
    const big = 2n ** 60n + 1n
    const points = [point('2026-01-01T00:10Z', 1), point('2026-01-01T00:20Z', Number(big), big)]
    assert.deepEqual(aggregate(query, 'integer', points).exact, [undefined, [big]])
  })

  it('does not lose small values beside large ones of other days', () => {
    const query = queryOf({ functions: ['sum'], bucket: { count: 1, unit: 'y' }, toNs: nsOf('2026-02-01T00:00Z') })
    const points = [
      point('2026-01-01T00:00Z', 1e16),
      ...[2, 3, 4, 5, 6].map((day) => point(`2026-01-0${day}T00:00Z`, 1)),
      point('2026-01-07T00:00Z', -1e16)
    ]
    assert.deepEqual(Array.from(aggregate(query, 'float', points).columns[0] as Float64Array), [5])
  })

  it('puts a date together that clocks have interrupted', () => {
    const [fromNs, toNs] = [nsOf('2010-11-07T02:30Z'), nsOf('2010-11-08T00:00Z')]
    const zoned = { bucket: { count: 1, unit: 'd' }, timeZone: 'America/St_Johns', fromNs, toNs } as const
    const points = [
      point('2010-11-07T02:30:30Z', 1),
      point('2010-11-07T02:31:00Z', 10, undefined, 1),
      point('2010-11-07T03:30:00Z', 5)
    ]
    const rows = aggregate(queryOf({ ...zoned, functions: ['sum', 'median', 'delta', 'first'] }), 'float', points)
    assert.deepEqual(
      Array.from(rows.ms, (ms) => new Date(ms).toISOString()),
      ['2010-11-06T02:30:00.000Z', '2010-11-07T02:30:00.000Z']
    )
    assert.deepEqual(
      rows.columns.map((column) => Array.from(column)),
      [
        [10, 6],
        [10, 3],
        [Number.NaN, 4],
        [10, 1]
      ]
    )
    assert.deepEqual(
      [Array.from(rows.counts ?? []), Array.from(rows.percentGood ?? [])],
      [
        [1, 2],
        [0, 100]
      ]
    )
  })
})

describe('reading points', () => {
  const query = queryOf({
    fromNs: nsOf('2026-01-01T23:59:59.999999999Z'),
    toNs: nsOf('2026-01-02T00:00:00.000000002Z')
  })

  it('gives those of the range with all their digits', () => {
    const reader = new TagReader(query, 'tag', 'integer')
    const points = [
      point('2026-01-01T23:59:59.999999998Z', 1),
      point('2026-01-01T23:59:59.999999999Z', 2),
      point('2026-01-02T00:00:00Z', 3, undefined, 2),
      point('2026-01-02T00:00:00.000000001Z', 4, 5n),
      point('2026-01-02T00:00:00.000000002Z', 6)
    ]
    for (const segment of segmentsOf(points)) reader.add(segment)
    const rows = reader.finish()
    assert.deepEqual(Array.from(rows.ms), [1_767_311_999_999, 1_767_312_000_000, 1_767_312_000_000])
    assert.deepEqual(Array.from(rows.subMsNs ?? []), [999_999, 0, 1])
    assert.deepEqual(Array.from(rows.columns[0] ?? []), [2, 3, 4])
    assert.deepEqual(Array.from(rows.quality ?? []), [0, 2, 0])
    assert.deepEqual(Array.from(rows.exact[0] ?? []), [undefined, undefined, 5n])
    assert.equal(rows.pointsRead, 3)
  })

  it('stops where there are more than an answer may have', () => {
    const reader = new TagReader({ ...query, limitPoints: 1 }, 'tag', 'float')
    const points = [point('2026-01-02T00:00:00Z', 3), point('2026-01-02T00:00:00.000000001Z', 4)]
    const [segment] = segmentsOf(points)
    assert.throws(() => segment && reader.add(segment), { code: 'too_many_points', facts: { points: 2, limit: 1 } })
  })
})
