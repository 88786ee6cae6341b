import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Commit } from '../../protocol/checkpoint.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'
import { aggregate } from './aggregate.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

interface Reading {
  readonly at: number
  readonly device: string
  readonly value: number
}

/** A little before 1970, so that times on both sides of it are met. */
const isoOf = (seconds: number) => new Date(-300_000 + seconds * 1000).toISOString()
const toRecord = ({ at, device, value }: Reading) => ({ time: isoOf(at), device, value })

const nodes = (prefix: string, config: object) => [
  { id: 'in', type: 'generate', config: { fields: { n: 'n' } } },
  {
    id: 'agg',
    type: 'aggregate',
    config: {
      time: 'time',
      groupBy: ['device'],
      select: { n: 'count(*)', total: 'sum(value)', mid: 'median(value)' },
      ...config
    },
    inputs: ['in']
  },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'parquet' }, inputs: ['agg'] }
]

/** What windows over all readings at once are. */
function naive(readings: readonly Reading[], windowS: number, slideS: number) {
  const windows = new Map<string, number[]>()
  for (const { at, device, value } of readings) {
    for (let start = Math.floor(at / slideS) * slideS; start > at - windowS; start -= slideS) {
      const key = `${isoOf(start)} ${device}`
      windows.set(key, [...(windows.get(key) ?? []), value])
    }
  }
  return new Map(
    [...windows].map(([key, values]) => [
      key,
      { n: values.length, total: values.reduce((a, b) => a + b, 0), mid: medianOf(values) }
    ])
  )
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

async function written(prefix: string) {
  const rows = (await workshop.keys(prefix)).length === 0 ? [] : await workshop.rows('SELECT * FROM objects', prefix)
  const keys = rows.map((row) => `${row.window_start} ${row.device}`)
  assert.equal(new Set(keys).size, keys.length, 'no window twice')
  return new Map(rows.map((row, i) => [keys[i], { n: row.n, total: row.total, mid: row.mid }]))
}

const reading = fc.record({
  at: fc.integer({ min: 0, max: 600 }),
  device: fc.constantFrom('a', 'b'),
  value: fc.integer({ min: -50, max: 50 })
})
const batches = fc.array(fc.array(reading, { maxLength: 12 }), { minLength: 1, maxLength: 6 })
let rounds = 0

test('windows are those of all records at once, however these are divided and ordered, also after a crash', async () => {
  await fc.assert(
    fc.asyncProperty(
      batches,
      fc.constantFrom([60, 60], [60, 20], [300, 60]),
      fc.nat(),
      async (given, [windowS = 60, slideS = 60], crashAt) => {
        rounds += 1
        const prefix = `windows-${rounds}/`
        const graph = nodes(prefix, { window: `${windowS}s`, slide: `${slideS}s`, lateness: '20m' })
        const records = given.map((batch) => batch.map(toRecord))
        const options = { batches: { in: records }, eager: true } as const
        let saved: Commit | undefined
        let commits = 0
        const ran =
          (await workshop
            .run(graph, {
              ...options,
              onCommit: (commit) => {
                commits += 1
                if (commits === (crashAt % 8) + 1) throw new Error('a crash')
                saved = commit
              }
            })
            .catch(() => undefined)) ??
          (await workshop.run(graph, { ...options, checkpoint: saved?.checkpoint ?? null, counted: saved ?? null }))
        assert.deepEqual(await written(prefix), naive(given.flat(), windowS, slideS))
        assert.equal(ran.imbalance, 0)
        assert.equal(ran.ledger.recordsRead, given.flat().length)
      }
    ),
    { numRuns: 25 }
  )
})

/** What is late by the records before it, one after the other. */
function naiveLate(records: readonly { at: number }[], windowS: number, slideS: number, latenessS: number): number[] {
  let newest = Number.NEGATIVE_INFINITY
  return records.flatMap(({ at }, i) => {
    newest = Math.max(newest, at)
    const lastEnd = Math.floor(at / slideS) * slideS + windowS
    return lastEnd <= newest - latenessS ? [i] : []
  })
}

test('which records are late, and what windows hold, does not depend on how records are divided into batches', async () => {
  const cuts = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 })
  const given = fc.array(reading, { minLength: 1, maxLength: 30 })
  const property = fc.asyncProperty(given, cuts, fc.constantFrom([60, 60], [60, 20]), async (readings, cut, sizes) => {
    const [windowS = 60, slideS = 60] = sizes
    const config = { window: `${windowS}s`, slide: `${slideS}s`, lateness: '30s' }
    const records = readings.map((one, nth) => ({ ...toRecord(one), nth }))
    const divided: object[][] = [[]]
    for (const [i, record] of records.entries()) {
      if (cut[i]) divided.push([])
      divided.at(-1)?.push(record)
    }
    const results = []
    for (const batchesOf of [[records], records.map((record) => [record]), divided]) {
      rounds += 1
      const prefix = `late-${rounds}/`
      const ran = await workshop.run(nodes(prefix, config), { batches: { in: batchesOf as never } })
      assert.equal(ran.imbalance, 0)
      const late = ran.deadLetters.map(({ code, record }) => [code, JSON.parse(record).nth])
      results.push({ late, windows: await written(prefix) })
    }
    assert.deepEqual(
      results[0]?.late,
      naiveLate(readings, windowS, slideS, 30).map((nth) => ['late', nth])
    )
    assert.deepEqual(results[1], results[0])
    assert.deepEqual(results[2], results[0])
  })
  await fc.assert(property, { numRuns: 25, endOnFailure: true })
})

test('a window goes out when the newest record is far enough ahead, and what comes for it later is a dead letter', async () => {
  const day = (at: number, value: number) => toRecord({ at, device: 'a', value })
  const seen: unknown[] = []
  const ran = await workshop.run(nodes('late/', { window: '1m', lateness: '30s' }), {
    batches: {
      in: [
        [day(10, 1), day(50, 2)],
        [day(89, 3)],
        [day(20, 4)],
        [day(90, 5)],
        [day(30, 6), day(95, 7)],
        [{ device: 'a', value: 8 }]
      ]
    },
    onCommit: (commit) => void seen.push(commit.nodes.agg?.recordsOut)
  })
  assert.deepEqual(
    await written('late/'),
    new Map([
      [`${isoOf(0)} a`, { n: 3, total: 7, mid: 2 }],
      [`${isoOf(60)} a`, { n: 3, total: 15, mid: 5 }]
    ])
  )
  assert.deepEqual(
    ran.deadLetters.map(({ code, record }) => [code, JSON.parse(record).value]),
    [
      ['late', 6],
      ['no_time', 8]
    ]
  )
  assert.equal(ran.imbalance, 0)
})

test('a column that is no time is told, and so is a record that can not be computed', async () => {
  const graph = nodes('bad/', { window: '1m', time: 'value' })
  await assert.rejects(workshop.run(graph, { batches: { in: [[{ value: 5, device: 'a' }]] } }), {
    code: 'no_timestamp'
  })
  const select = { n: 'count(*)', total: 'sum(text::INTEGER)', mid: 'count(*)' }
  const ran = await workshop.run(nodes('some/', { window: '1m', select }), {
    batches: {
      in: [
        [
          { time: isoOf(1), device: 'a', text: '1' },
          { time: isoOf(2), device: 'a', text: 'x' },
          { time: isoOf(3), device: 'a', text: '3' }
        ]
      ]
    }
  })
  assert.deepEqual(
    ran.deadLetters.map(({ nodeId, code, record }) => [nodeId, code, JSON.parse(record).text]),
    [['agg', 'invalid_value', 'x']]
  )
  assert.equal((await written('some/')).values().next().value?.total, 4)
  assert.equal(ran.imbalance, 0)
})

test('windows and slides that do not fit are refused', () => {
  const faults = (config: object) => aggregate.check?.({ time: 't', select: { n: 'count(*)' }, ...config } as never)
  assert.deepEqual(faults({ window: '1m', slide: '20s' }), [])
  assert.deepEqual(faults({ window: '1m', slide: '7s' }), [
    { pointer: '/slide', message: 'must divide the window without rest' }
  ])
  assert.equal(faults({ window: '1mo' })?.[0]?.pointer, '/window')
  assert.equal(faults({ window: '1d', slide: '1s' })?.[0]?.pointer, '/slide')
  assert.equal(faults({ window: '1d', select: { Window_End: 'count(*)' } })?.[0]?.pointer, '/select/Window_End')
})
