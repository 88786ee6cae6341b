import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { TagAggregator } from './aggregate.ts'
import { bucketsBetween, countBuckets, planBuckets } from './buckets.ts'
import { fillRows } from './fill.ts'
import { BUCKET_UNITS, type BucketWidth, FILLS, type Fill, FUNCTIONS, type SeriesFunction } from './plan.ts'
import type { TagRows } from './rows.ts'
import { PlainSql, type SqlRow } from './testing/plain-sql.ts'
import { DAY_NS, nsOf, segmentsOf, type TestCase, testCase } from './testing/points.ts'

/** Half hours at which the clocks of a zone change, or next to them. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  UTC: ['1970-01-01T00:00Z', '2023-01-01T00:00Z'],
  'Europe/Berlin': ['2023-03-26T01:00Z', '2023-10-29T01:00Z'],
  'America/New_York': ['2023-03-12T07:00Z', '2023-11-05T06:00Z'],
  // The clocks change by half an hour.
  'Australia/Lord_Howe': ['2023-04-01T15:00Z', '2023-09-30T15:30Z'],
  'Asia/Kolkata': ['2022-12-31T18:30Z'],
  // Clocks are set back one minute after midnight, so that a date ends twice.
  'America/St_Johns': ['2010-11-07T02:30Z', '2010-03-14T03:30Z'],
  // There was no 30th of December.
  'Pacific/Apia': ['2011-12-30T10:00Z'],
  // Clocks are set forward at midnight, which that day does not have, and back to the day before.
  'America/Sao_Paulo': ['2017-10-15T03:00Z', '2018-02-18T02:00Z']
}

const WIDTHS: Readonly<Record<BucketWidth['unit'], { readonly counts: readonly number[]; readonly reachNs: bigint }>> =
  {
    ms: { counts: [1, 7, 100], reachNs: 500_000_000n },
    s: { counts: [1, 7, 30], reachNs: 60_000_000_000n },
    m: { counts: [1, 5, 45], reachNs: DAY_NS / 16n },
    h: { counts: [1, 5, 24], reachNs: 3n * DAY_NS },
    d: { counts: [1, 2, 3], reachNs: 15n * DAY_NS },
    w: { counts: [1, 2], reachNs: 60n * DAY_NS },
    mo: { counts: [1, 3, 5], reachNs: 200n * DAY_NS },
    y: { counts: [1, 2], reachNs: 350n * DAY_NS }
  }

const seen = { empty: 0, single: 0, cut: 0, poor: 0 }

describe('a query', () => {
  for (const [zone, isoMoments] of Object.entries(ZONES)) {
    const moments = isoMoments.map(nsOf)
    describe(`in ${zone}`, async () => {
      const sql = await PlainSql.open(zone, moments)
      after(() => sql.close())
      for (const unit of BUCKET_UNITS) {
        it(`answers as plain SQL does by ${unit}`, async () => {
          const { counts, reachNs } = WIDTHS[unit]
          const property = fc.asyncProperty(testCase(moments, counts, unit, reachNs), (question) =>
            compare(sql, question)
          )
          await fc.assert(property, { numRuns: 2 })
        })
      }
    })
  }

  it('was asked about buckets without points, with one, cut by the range, and with points that are not good', () => {
    for (const [what, times] of Object.entries(seen)) assert.ok(times > 0, what)
  })
})

async function compare(sql: PlainSql, question: TestCase): Promise<void> {
  const buckets = await sql.ask(question)
  assertCounted(sql.zone, question, buckets)
  for (const fill of FILLS) {
    const expected = fill === 'none' ? buckets.filter((row) => row.points > 0) : buckets
    assertRows(evaluate(sql.zone, question, fill, FUNCTIONS), expected, FUNCTIONS, fill)
  }
  for (const name of FUNCTIONS) assertRows(evaluate(sql.zone, question, 'null', [name]), buckets, [name], 'null')
}

function evaluate(zone: string, question: TestCase, fill: Fill, functions: readonly SeriesFunction[]): TagRows {
  const { fromNs, toNs, width } = question
  const plan = planBuckets(width, zone, fromNs, toNs)
  const aggregator = new TagAggregator({ functions, fromNs, toNs }, plan, 'tag', 'float')
  for (const segment of segmentsOf(question.points)) aggregator.add(segment)
  return fillRows(aggregator.finish(), { fill, functions }, bucketsBetween(plan, fromNs, toNs))
}

function assertCounted(zone: string, { width, fromNs, toNs }: TestCase, expected: readonly SqlRow[]): void {
  assert.equal(countBuckets(planBuckets(width, zone, fromNs, toNs), fromNs, toNs), expected.length)
  seen.empty += expected.filter((row) => row.points === 0).length
  seen.single += expected.filter((row) => row.points === 1).length
  seen.cut += expected.some((row) => row.points > 0 && BigInt(row.start) * 1_000_000n < fromNs) ? 1 : 0
  seen.poor += expected.filter((row) => row.good !== null && row.good < 100).length
}

function assertRows(rows: TagRows, expected: readonly SqlRow[], names: readonly SeriesFunction[], fill: Fill): void {
  assert.deepEqual(
    Array.from(rows.ms),
    expected.map((row) => row.start),
    `beginnings of buckets, fill ${fill}`
  )
  expected.forEach((row, at) => {
    assert.equal(rows.counts?.[at], row.points)
    if (rows.percentGood !== undefined) assertClose(rows.percentGood[at], row.good, 'percentGood')
    else assert.ok(row.good === null || row.good === 100)
    for (const [place, name] of names.entries()) {
      assertClose(rows.columns[place]?.[at], row[`${fill} ${name}`] ?? null, `${fill} ${name}`)
    }
  })
}

function assertClose(actual: number | undefined, expected: number | null, what: string): void {
  if (expected === null || actual === undefined || Number.isNaN(actual)) {
    assert.ok(expected === null && Number.isNaN(actual), `${what}: ${actual} instead of ${expected}`)
    return
  }
  const tolerance = 1e-9 * Math.max(1, Math.abs(expected))
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} instead of ${expected}`)
}
