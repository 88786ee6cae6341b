import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bucketIndex, bucketStartMs, bucketsBetween, countBuckets, planBuckets } from './buckets.ts'
import { civilDate, epochMonth, firstDayOfMonth } from './civil.ts'
import type { BucketWidth } from './plan.ts'
import { nsOf } from './testing/points.ts'

function starts(count: number, unit: BucketWidth['unit'], zone: string, from: string, to: string): string[] {
  const plan = planBuckets({ count, unit }, zone, nsOf(from), nsOf(to))
  return Array.from(bucketsBetween(plan, nsOf(from), nsOf(to)), (ms) => new Date(ms).toISOString().slice(0, 16))
}

describe('buckets', () => {
  it('are fixed up to hours whatever the zone, and days where a zone is UTC', () => {
    for (const unit of ['ms', 's', 'm', 'h'] as const) {
      assert.equal(planBuckets({ count: 3, unit }, 'Asia/Kolkata', 0n, 1n).kind, 'fixed')
    }
    assert.deepEqual(planBuckets({ count: 2, unit: 'd' }, 'UTC', 0n, 1n), {
      kind: 'fixed',
      widthNs: 172_800_000_000_000n
    })
    assert.equal(planBuckets({ count: 1, unit: 'd' }, 'Asia/Kolkata', 0n, 1n).kind, 'calendar')
  })

  it('of hours are aligned to the epoch in a zone of half hours', () => {
    assert.deepEqual(starts(1, 'h', 'Asia/Kolkata', '2026-01-01T00:10Z', '2026-01-01T02:00Z'), [
      '2026-01-01T00:00',
      '2026-01-01T01:00'
    ])
  })

  it('of weeks begin on Monday', () => {
    assert.deepEqual(starts(1, 'w', 'UTC', '2026-01-01T00:00Z', '2026-01-12T00:00:00.001Z'), [
      '2025-12-29T00:00',
      '2026-01-05T00:00',
      '2026-01-12T00:00'
    ])
  })

  it('of days have 23 and 25 hours where clocks change', () => {
    assert.deepEqual(starts(1, 'd', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-30T22:00Z'), [
      '2026-03-28T23:00',
      '2026-03-29T22:00'
    ])
    assert.deepEqual(starts(1, 'd', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-26T23:00Z'), [
      '2026-10-24T22:00',
      '2026-10-25T23:00'
    ])
  })

  it('leave out a day that a zone has skipped', () => {
    assert.deepEqual(starts(1, 'd', 'Pacific/Apia', '2011-12-29T10:00Z', '2011-12-31T10:00Z'), [
      '2011-12-29T10:00',
      '2011-12-30T10:00'
    ])
  })

  it('begin with the first moment of a day that has no midnight', () => {
    assert.deepEqual(starts(1, 'd', 'America/Sao_Paulo', '2017-10-15T12:00Z', '2017-10-15T13:00Z'), [
      '2017-10-15T03:00'
    ])
  })

  it('of months and years are those of the zone', () => {
    assert.deepEqual(starts(3, 'mo', 'America/New_York', '2026-01-01T04:59Z', '2026-04-01T04:00Z'), [
      '2025-10-01T04:00',
      '2026-01-01T05:00'
    ])
    assert.deepEqual(starts(2, 'y', 'UTC', '2025-06-01T00:00Z', '2026-01-01T00:00:00.001Z'), [
      '2024-01-01T00:00',
      '2026-01-01T00:00'
    ])
  })

  it('keep only the offsets of their range', () => {
    const plan = planBuckets(
      { count: 1, unit: 'd' },
      'Europe/Berlin',
      nsOf('2026-03-29T00:00Z'),
      nsOf('2026-03-29T01:00Z')
    )
    assert.deepEqual(plan.kind === 'calendar' && plan.offsets.map((offset) => offset.offsetNs), [3_600_000_000_000n])
  })

  it('of an empty range are none', () => {
    for (const unit of ['h', 'd'] as const) {
      const plan = planBuckets({ count: 1, unit }, 'Europe/Berlin', 5n, 5n)
      assert.equal(countBuckets(plan, 5n, 5n), 0)
      assert.equal(bucketsBetween(plan, 5n, 5n).length, 0)
    }
  })

  it('give a time before the epoch the bucket that begins before it', () => {
    const plan = planBuckets({ count: 1, unit: 'h' }, 'UTC', -1n, 1n)
    assert.equal(bucketIndex(plan, -1, 86_399_999_999_999), -1)
    assert.equal(bucketStartMs(plan, -1), -3_600_000)
  })
})

describe('the calendar', () => {
  it('has the dates that the runtime has', () => {
    const day = fc.integer({ min: -200_000, max: 200_000 })
    fc.assert(
      fc.property(day, (epochDay) => {
        const date = new Date(epochDay * 86_400_000)
        const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1]
        assert.deepEqual(civilDate(epochDay), { year, month, day: date.getUTCDate() })
        assert.equal(firstDayOfMonth(epochMonth(epochDay)), Date.UTC(year, month - 1, 1) / 86_400_000)
      })
    )
  })
})
