import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unknownTag } from '../pick-rows.ts'
import type { Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'
import { queryOf, rowsOf } from '../testing/rows.ts'
import { writeAnswer } from './index.ts'
import { refuseTooMany } from './limit.ts'

const HOUR = 3_600_000
const START = 1_767_225_600_000

async function answer(query: Query, rows: Iterable<TagRows>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(writeAnswer(query, rows, Date.now()))).toString()
}

async function json(query: Query, rows: Iterable<TagRows>) {
  return JSON.parse(await answer(query, rows))
}

const hourly = rowsOf([START, START + 2 * HOUR], [1.5, null], {
  counts: Float64Array.from([2, 1]),
  percentGood: Float64Array.from([50, 100]),
  pointsRead: 3
})

describe('an answer in JSON', () => {
  it('says what was asked, the buckets, what is unknown and what was done', async () => {
    const query = queryOf({ units: { temperature: '°C' } })
    const { stats, ...rest } = await json(query, [
      hourly,
      rowsOf([], [], { tag: 'constructor' }),
      unknownTag('con"structor')
    ])
    assert.deepEqual(rest, {
      sourceId: 'plant',
      startTime: '2026-01-01T00:00:00.000Z',
      endTime: '2026-01-01T04:00:00.000Z',
      aggregation: '1h',
      series: [
        {
          tag: 'temperature',
          unit: '°C',
          points: [
            { time: '2026-01-01T00:00:00.000Z', value: 1.5, count: 2, percentGood: 50 },
            { time: '2026-01-01T02:00:00.000Z', value: null, count: 1, percentGood: 100 }
          ]
        },
        { tag: 'constructor', unit: null, points: [] },
        { tag: 'con"structor', unit: null, points: [] }
      ],
      unknownTags: ['con"structor']
    })
    assert.ok(stats.elapsedMs >= 0)
    assert.deepEqual({ ...stats, elapsedMs: 0 }, { pointsRead: 3, elapsedMs: 0, filled: 'none' })
  })

  it('names several functions, and the count once', async () => {
    const columns = [Float64Array.from([1]), Float64Array.from([0.5]), Float64Array.from([2])]
    const rows = rowsOf([START], [], { type: 'boolean', columns, exact: [], counts: Float64Array.from([2]) })
    const { series } = await json(queryOf({ functions: ['last', 'avg', 'count'] }), [rows])
    assert.deepEqual(series[0].points, [{ time: '2026-01-01T00:00:00.000Z', last: true, avg: 0.5, count: 2 }])
  })

  it('fills, and says so', async () => {
    const { series, stats } = await json(queryOf({ fill: 'null' }), [hourly, unknownTag('x')])
    assert.deepEqual(
      series[0].points.map((point: { value: number; count: number }) => [point.value, point.count]),
      [
        [1.5, 2],
        [null, 0],
        [null, 1],
        [null, 0]
      ]
    )
    assert.deepEqual(series[1].points, [])
    assert.equal(stats.filled, 'null')
  })

  it('gives points as they are, with their quality where it is not good', async () => {
    const rows = rowsOf([START, START + 1, START + 2], [2 ** 60, 0, 1], {
      subMsNs: Uint32Array.from([0, 1000, 0]),
      exact: [[2n ** 60n + 1n, 'tür "7"\n', undefined]],
      quality: Uint8Array.from([0, 1, 2])
    })
    const text = await answer(queryOf({ bucket: undefined, aggregation: null }), [rows, { ...rows, type: 'boolean' }])
    const [integers] = JSON.parse(text).series
    assert.match(text, /"value":1152921504606846977}/)
    assert.deepEqual(integers.points.slice(1), [
      { time: '2026-01-01T00:00:00.001001Z', value: 'tür "7"\n', quality: 'uncertain' },
      { time: '2026-01-01T00:00:00.002Z', value: 1, quality: 'bad' }
    ])
    assert.match(text, /"value":true,"quality":"bad"/)
    assert.match(text, /"aggregation":null/)
  })

  it('tells how many points downsampling took', async () => {
    const rows = rowsOf([1, 2, 3, 4], [1, 2, 3, 4])
    const { series, stats } = await json(queryOf({ maxPoints: 2 }), [rows, rows])
    assert.equal(series[0].points.length, 2)
    assert.deepEqual(stats.downsampled, { from: 8, to: 4 })
  })

  it('comes in pieces as rows come, however long a text is', async () => {
    const texts = Array.from({ length: 3000 }, (_, row) => 'ä'.repeat(row))
    const ms = texts.map((_, row) => START + row)
    const rows = rowsOf(
      ms,
      ms.map(() => null),
      { type: 'string', exact: [texts] }
    )
    const pieces = await Array.fromAsync(writeAnswer(queryOf({ bucket: undefined }), [rows], START))
    assert.ok(pieces.length > 50 && pieces.every((piece) => piece.length < 80_000))
    const { points } = JSON.parse(Buffer.concat(pieces).toString()).series[0]
    assert.deepEqual(
      points.map((point: { value: string }) => point.value),
      texts
    )
  })
})

/** Fields of RFC 4180; null for one that is empty and not quoted. */
function csv(text: string): (string | null)[][] {
  assert.ok(text.endsWith('\r\n'))
  const records: (string | null)[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain || null))
    if (end !== ',') records.push([])
  }
  return records.slice(0, -1)
}

describe('an answer in CSV', () => {
  it('has a line for each bucket', async () => {
    assert.deepEqual(csv(await answer(queryOf({ format: 'csv', fill: 'null' }), [hourly])), [
      ['tag', 'time', 'value', 'count', 'percentGood'],
      ['temperature', '2026-01-01T00:00:00.000Z', '1.5', '2', '50'],
      ['temperature', '2026-01-01T01:00:00.000Z', null, '0', null],
      ['temperature', '2026-01-01T02:00:00.000Z', null, '1', '100'],
      ['temperature', '2026-01-01T03:00:00.000Z', null, '0', null]
    ])
    const several = await answer(queryOf({ format: 'csv', functions: ['min', 'count'] }), [])
    assert.equal(several, 'tag,time,min,count,percentGood\r\n')
  })

  it('keeps texts as they are', async () => {
    const texts = ['=1+1', 'a,"b"\r\nc', '', ' @x ']
    const rows = rowsOf([0, 1, 2, 3], [null, null, null, null], { tag: 'a,b', type: 'string', exact: [texts] })
    const booleans = rowsOf([0], [1], { type: 'boolean', quality: Uint8Array.of(2) })
    const [head, ...records] = csv(await answer(queryOf({ bucket: undefined, format: 'csv' }), [rows, booleans]))
    assert.deepEqual(head, ['tag', 'time', 'value', 'quality'])
    assert.deepEqual(
      records.map((record) => [record[0], record[2], record[3]]),
      [...texts.map((text) => ['a,b', text, 'good']), ['temperature', 'true', 'bad']]
    )
  })
})

describe('the limit of an answer', () => {
  const rows = rowsOf([START, START + 1, START + 2], [1, 2, 3])

  it('is of all series together, before downsampling', async () => {
    const query = queryOf({ limitPoints: 5, maxPoints: 2 })
    assert.equal((await json({ ...query, limitPoints: 6 }, [rows, rows])).series.length, 2)
    const pieces = writeAnswer(query, [rows, rows], START)
    await assert.rejects(pieces.next(), { code: 'too_many_points', facts: { points: 6, limit: 5 } })
  })

  it('is known beforehand where all buckets are filled', () => {
    const query = queryOf({ limitPoints: 8, fill: 'null' })
    refuseTooMany(query, 2)
    assert.throws(() => refuseTooMany(query, 3), { code: 'too_many_points', facts: { points: 12, limit: 8 } })
    refuseTooMany({ ...query, fill: 'none' }, 3)
    refuseTooMany({ ...query, bucket: undefined }, 3)
  })

  it('breaks off what has begun rather than end it', async () => {
    const many = rowsOf(
      Array.from({ length: 5000 }, (_, row) => row),
      new Array(5000).fill(1)
    )
    const pieces = writeAnswer(queryOf({ limitPoints: 5000 }), [many, many], START)
    assert.equal((await pieces.next()).done, false)
    await assert.rejects(Array.fromAsync(pieces), { code: 'too_many_points' })
  })

  it('leaves what the rows throw to the caller, before the first piece', async () => {
    const failing = (function* () {
      yield rows
      throw new Error('gone')
    })()
    await assert.rejects(writeAnswer(queryOf(), failing, START).next(), { message: 'gone' })
  })
})
