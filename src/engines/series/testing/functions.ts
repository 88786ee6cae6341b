import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FUNCTIONS, type SeriesFunction } from '../query/plan.ts'
import { ask, ns, question, refused, writeGood } from './asking.ts'
import type { Given } from './contract.ts'

const HOUR_NS = 3_600_000_000_000n

/** Each function gives the results that were computed by hand, in buckets of every kind. */
export function promisesOfFunctions({ series, newSource }: Given): void {
  test('every function gives what was worked out by hand', async () => {
    const source = newSource()
    // Points out of order. The second minute has one point, the third none.
    const points = [
      [40, 2],
      [0, 4],
      [20, 10],
      [10, 6],
      [30, 1],
      [75, 5]
    ]
    // Several tags, which may be on several servers.
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const lines = names.flatMap((tag) => points.map(([s, value]) => `${tag} value=${value} ${s}`))
    await writeGood(series(), source, lines.join('\n'), { precision: 's' })
    const expected: Record<SeriesFunction, readonly [number, number | null]> = {
      avg: [4.6, 5],
      min: [1, 5],
      max: [10, 5],
      sum: [23, 5],
      count: [5, 1],
      first: [4, 5],
      last: [2, 5],
      stddev: [Math.sqrt((0.36 + 1.96 + 29.16 + 12.96 + 6.76) / 4), null],
      median: [4, 5],
      p90: [6 + 0.6 * 4, 5],
      p95: [6 + 0.8 * 4, 5],
      p99: [6 + 0.96 * 4, 5],
      // 4 → 6 → 10, a restart from zero to 1, then to 2.
      rate: [(2 + 4 + 1 + 1) / 40, null],
      delta: [-2, null]
    }
    const bucket = { count: 1, unit: 'm' } as const
    for (const tags of [names, undefined]) {
      const all = await ask(series(), source, { tags, bucket, functions: FUNCTIONS })
      assert.deepEqual(
        all.series.map(({ tag, points }) => [tag, points.map(({ time }) => time)]),
        names.map((tag) => [tag, [0n, 60_000_000_000n]])
      )
      for (const name of FUNCTIONS) {
        for (const { points } of all.series) {
          for (const [i, row] of points.entries()) close(row[name], expected[name][i] as number | null, name)
        }
        const one = await ask(series(), source, { tags, bucket, functions: [name] })
        for (const { points } of one.series) {
          close(points[0]?.value, expected[name][0], name)
          assert.deepEqual([points[0]?.count, points[1]?.count], [5, 1])
        }
      }
    }
  })

  test('truth values are counted as one and zero, and shown as themselves', async () => {
    const source = newSource()
    await writeGood(series(), source, 'b value=t 1\nb value=f 2\nb value=t 3\nb value=t 4')
    const functions = ['avg', 'sum', 'first', 'last', 'min'] as const
    const { points } = (await ask(series(), source, { bucket: { count: 1, unit: 's' }, functions })).series[0] ?? {}
    assert.deepEqual(points, [{ time: 0n, avg: 0.75, sum: 3, first: true, last: true, min: 0, count: 4 }])
  })

  test('texts have a first, a last and a number, and nothing else', async () => {
    const source = newSource()
    await writeGood(series(), source, 't value="one" 1\nt value="two" 2\nn value=1 1')
    const bucket = { count: 1, unit: 's' } as const
    const answer = await ask(series(), source, { bucket, functions: ['first', 'last', 'count'] })
    assert.deepEqual(
      answer.series.map(({ points: [point] }) => [point?.first, point?.last, point?.count]),
      [
        [1, 1, 1],
        ['one', 'two', 2]
      ]
    )
    const named = question(source, { tags: ['n', 't'], bucket, functions: ['last', 'avg'] })
    const refusal = await refused(series().query(named), 'function_not_applicable')
    assert.match(refusal.message, /"t".*avg/)
    const all = await ask(series(), source, { tags: undefined, bucket, functions: ['last', 'avg'] })
    assert.deepEqual(
      all.series.map(({ tag }) => tag),
      ['n'],
      'of all tags, those that have an average'
    )
  })

  test('the range cuts buckets: its beginning is in it, its end is not', async () => {
    const source = newSource()
    const lines = Array.from({ length: 20 }, (_, i) => `a value=1 ${i - 10}`)
    await writeGood(series(), source, lines.join('\n'), { precision: 's' })
    const answer = await ask(series(), source, {
      fromNs: -7_000_000_000n,
      toNs: 6_000_000_000n,
      bucket: { count: 5, unit: 's' },
      functions: ['count']
    })
    assert.deepEqual(
      answer.series[0]?.points.map(({ time, value }) => [time / 1_000_000_000n, value]),
      [
        [-10n, 2],
        [-5n, 5],
        [0n, 5],
        [5n, 1]
      ]
    )
    const raw = await ask(series(), source, { fromNs: -7_000_000_000n, toNs: -5_000_000_000n })
    assert.deepEqual(
      raw.series[0]?.points.map(({ time }) => time),
      [-7_000_000_000n, -6_000_000_000n]
    )
  })

  test('days are those of the zone, also where clocks change', async () => {
    const source = newSource()
    // One point each hour. 2026-03-29 has 23 hours in Berlin, and 2026-03-08 in New York.
    const hours = Array.from({ length: 24 * 70 }, (_, i) => ns('2026-02-20T00:00:00Z') + BigInt(i) * HOUR_NS)
    await writeGood(series(), source, hours.map((time) => `a value=1 ${time}`).join('\n'))
    for (const [timeZone, day, start, count] of [
      ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23],
      ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', 23],
      ['UTC', '2026-03-29', '2026-03-29T00:00:00Z', 24],
      ['Asia/Kolkata', '2026-03-29', '2026-03-28T18:30:00Z', 24]
    ] as const) {
      const from = { fromNs: hours[0] as bigint, toNs: hours.at(-1) as bigint, timeZone, functions: ['count'] as const }
      for (const tags of [['a'], undefined]) {
        const days = await ask(series(), source, { ...from, tags, bucket: { count: 1, unit: 'd' } })
        const point = days.series[0]?.points.find(({ time }) => time === ns(start))
        assert.equal(point?.value, count, `${day} in ${timeZone}`)
      }
    }
    const months = await ask(series(), source, {
      timeZone: 'Europe/Berlin',
      fromNs: hours[0] as bigint,
      toNs: (hours.at(-1) as bigint) + 1n,
      bucket: { count: 1, unit: 'mo' },
      functions: ['count']
    })
    assert.deepEqual(
      months.series[0]?.points.map(({ time, value }) => [time, value]),
      [
        [ns('2026-01-31T23:00:00Z'), 9 * 24 - 1],
        [ns('2026-02-28T23:00:00Z'), 31 * 24 - 1],
        [ns('2026-03-31T22:00:00Z'), 30 * 24],
        [ns('2026-04-30T22:00:00Z'), 2]
      ]
    )
    const weeks = await ask(series(), source, {
      ...{ timeZone: 'Europe/Berlin' },
      fromNs: ns('2026-03-23T00:00:00Z'),
      toNs: ns('2026-04-06T00:00:00Z'),
      bucket: { count: 1, unit: 'w' },
      functions: ['count']
    })
    assert.deepEqual(
      weeks.series[0]?.points.map(({ time, value }) => [time, value]),
      [
        [ns('2026-03-22T23:00:00Z'), 7 * 24 - 1 - 1],
        [ns('2026-03-29T22:00:00Z'), 7 * 24],
        [ns('2026-04-05T22:00:00Z'), 2]
      ]
    )
  })

  test('dates long ago and far ahead have their buckets too', async () => {
    const source = newSource()
    const dates = ['1700-02-28', '1799-12-31', '1969-12-31', '1970-01-01', '2000-02-29', '2100-03-01', '2261-12-31']
    await writeGood(series(), source, dates.map((date) => `a value=1 ${ns(`${date}T12:00:00Z`)}`).join('\n'))
    for (const [unit, starts] of [
      ['d', dates],
      ['mo', dates.map((date) => `${date.slice(0, 7)}-01`)],
      ['y', ['1700', '1799', '1969', '1970', '2000', '2100', '2261'].map((year) => `${year}-01-01`)]
    ] as const) {
      const answer = await ask(series(), source, { bucket: { count: 1, unit }, functions: ['count'] })
      assert.deepEqual(
        answer.series[0]?.points.map(({ time }) => time),
        starts.map((date) => ns(`${date}T00:00:00Z`))
      )
    }
  })

  test('the share of good points is shown where not all are good', async () => {
    const source = newSource()
    const points = ['good', 'bad', 'uncertain', 'good', 'good'].map((quality, i) => ({
      tag: 'q',
      time: i * 400,
      value: i,
      quality
    }))
    await writeGood(series(), source, JSON.stringify(points), { format: 'json', precision: 'ms' })
    await writeGood(series(), source, 'g value=1 1')
    const answer = await ask(series(), source, { bucket: { count: 1, unit: 's' }, functions: ['max'] })
    assert.deepEqual(answer.series[0]?.points, [{ time: 0n, value: 1, count: 1 }])
    assert.deepEqual(
      answer.series[1]?.points.map(({ value, percentGood }) => [value, Math.round(Number(percentGood))]),
      [
        [2, 33],
        [4, 100]
      ]
    )
  })
}

function close(found: unknown, expected: number | null, name: string): void {
  if (expected === null) assert.equal(found, null, name)
  else assert.ok(Math.abs(Number(found) - expected) < 1e-9 && found !== null, `${name}: ${found} is not ${expected}`)
}
