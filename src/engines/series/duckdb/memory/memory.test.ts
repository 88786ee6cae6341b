import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HAS_EXACT, NS_PER_DAY, PointBatch } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import { SlabPool } from './blocks.ts'
import { chainAt, Generation } from './generation.ts'
import { mergeSegments, segmentOf } from './segments.ts'

/** Slabs are mostly ones that were used before: nothing may depend on what is in them. */
const pool = new SlabPool(1_000_000)
const newSlab = () => {
  const slab = pool.take()
  slab.ns.fill(7)
  slab.values.fill(-1)
  slab.flags.fill(255)
  slab.next.fill(3)
  return slab
}

interface Point {
  readonly tag: number
  readonly day: number
  readonly ns: number
  readonly value: number
  readonly quality: number
  readonly exact: string | bigint | undefined
}

const points = fc.array(
  fc.record({
    tag: fc.oneof(fc.nat(5), fc.constant(2000)),
    day: fc.constantFrom(-106_751, -1, 0, 19_000, 19_001, 106_751),
    ns: fc.oneof(fc.nat(6), fc.constantFrom(0, NS_PER_DAY - 1)),
    value: fc.double({ noNaN: true }),
    quality: fc.nat(2),
    exact: fc.option(fc.oneof(fc.string(), fc.bigInt()), { nil: undefined, freq: 5 })
  }),
  { maxLength: 300 }
)

function batchOf(some: readonly Point[]): PointBatch {
  const batch = new PointBatch()
  batch.reserve(some.length)
  batch.length = some.length
  some.forEach(({ tag, day, ns, value, quality, exact }, row) => {
    batch.tags[row] = tag
    batch.days[row] = day
    batch.ns[row] = ns
    batch.values[row] = value
    batch.flags[row] = quality | (exact === undefined ? 0 : HAS_EXACT)
    if (exact !== undefined) batch.exact.set(row, exact)
  })
  return batch
}

/** The last point of each tag and time, in order, computed with a plain map. */
function expected(some: readonly Point[], tag: number, day: number): Point[] {
  const byTime = new Map<number, Point>()
  for (const point of some) if (point.tag === tag && point.day === day) byTime.set(point.ns, point)
  return [...byTime.values()].sort((a, b) => a.ns - b.ns).map((point) => ({ ...point }))
}

function pointsOf(tag: number, segment: Segment): Point[] {
  return Array.from({ length: segment.length }, (_, row) => ({
    tag,
    day: segment.day,
    ns: segment.ns[row] as number,
    value: segment.values[row] as number,
    quality: segment.quality?.[row] ?? 0,
    exact: segment.exact?.[row]
  }))
}

test('a generation gives back the last point of each time, tag by tag and day by day', () => {
  fc.assert(
    fc.property(fc.array(points, { maxLength: 4 }), (batches) => {
      const generation = new Generation(1, newSlab)
      for (const some of batches) generation.append(batchOf(some))
      const all = batches.flat()
      const columns = generation.columns()
      const seen = new Set<string>()
      for (let index = 0; index < columns.length; index++) {
        const chain = chainAt(columns, index)
        seen.add(`${chain.tag} ${chain.day}`)
        const segment = segmentOf(generation.slabs, chain, generation.exact)
        assert.deepEqual(pointsOf(chain.tag, segment), expected(all, chain.tag, chain.day))
      }
      assert.deepEqual(seen, new Set(all.map(({ tag, day }) => `${tag} ${day}`)))
      assert.equal(generation.points, all.length)
    })
  )
})

test('the chains of one tag are found by their days', () => {
  fc.assert(
    fc.property(points, fc.constantFrom(0, 1, 2000, 5000), (some, tag) => {
      const generation = new Generation(1, newSlab)
      generation.append(batchOf(some))
      const found: number[] = []
      generation.chainsOf(tag, 0, 19_000, found)
      const columns = generation.columns(found)
      const days = Array.from({ length: columns.length }, (_, index) => chainAt(columns, index))
      const wanted = new Set(some.filter((p) => p.tag === tag && p.day >= 0 && p.day <= 19_000).map(({ day }) => day))
      assert.deepEqual(new Set(days.map(({ day }) => day)), wanted)
      assert.ok(days.every((chain) => chain.tag === tag))
    })
  )
})

test('readers see nothing of what is written after they were told', () => {
  const generation = new Generation(1, newSlab)
  const one = { tag: 0, day: 0, ns: 1, value: 1, quality: 0, exact: undefined }
  generation.append(batchOf([one]))
  const chain = chainAt(generation.columns(), 0)
  generation.append(batchOf(Array.from({ length: 40 }, (_, i) => ({ ...one, ns: i + 2 }))))
  assert.deepEqual(pointsOf(0, segmentOf(generation.slabs, chain, generation.exact)), [one])
})

test('of points at one time in several places, the newest place’s counts', () => {
  fc.assert(
    fc.property(fc.array(points, { minLength: 1, maxLength: 4 }), (batches) => {
      const segments = batches.flatMap((some) => {
        const generation = new Generation(1, newSlab)
        generation.append(batchOf(some.map((point) => ({ ...point, tag: 0, day: 0 }))))
        const columns = generation.columns()
        return columns.length === 0 ? [] : [segmentOf(generation.slabs, chainAt(columns, 0), generation.exact)]
      })
      if (segments.length === 0) return
      const all = batches.flat().map((point) => ({ ...point, tag: 0, day: 0 }))
      assert.deepEqual(pointsOf(0, mergeSegments(segments)), expected(all, 0, 0))
    })
  )
})
