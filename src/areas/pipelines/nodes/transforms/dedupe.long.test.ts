import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { JsonRecord } from '../../records/table.ts'
import { crashing, rowsOf } from '../../testing/crashing.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'
import { dedupe } from './dedupe.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

let outs = 0
const nodes = (config: object, prefix: string) => [
  { id: 'in', type: 'generate', config: { fields: {} } },
  { id: 'once', type: 'dedupe', config: { ...config }, inputs: ['in'] },
  { id: 'place', type: 'map', config: { select: { place: 'place' } }, inputs: ['once'] },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'ndjson' as const }, inputs: ['place'] }
]

/** The places of the records that came out, in their order. */
async function run(config: object, batches: JsonRecord[][], crashSeed?: number): Promise<number[]> {
  outs += 1
  const prefix = `out${outs}/`
  const options = { batches: { in: batches } }
  const ran =
    crashSeed === undefined
      ? await workshop.run(nodes(config, prefix), options)
      : await crashing(workshop, nodes(config, prefix), options, crashSeed)
  assert.equal(ran.imbalance, 0)
  const rows = await rowsOf(workshop, prefix)
  assert.equal(ran.ledger.recordsFiltered, batches.flat().length - rows.length)
  return rows.map(({ place }) => Number(place)).toSorted((a, b) => a - b)
}

interface Item {
  readonly a: string | number | null
  readonly b: boolean | null
  readonly seconds: number | null
}
const item = fc.record({
  a: fc.constantFrom('x', 'y', 1, 1.5, null, '["x"'),
  b: fc.constantFrom(true, null),
  seconds: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(null))
})
const batchesOf = (items: readonly Item[], borders: readonly number[]): JsonRecord[][] => {
  const at = (seconds: number) => new Date(1_750_000_000_000 + seconds * 1000).toISOString()
  const records = items.map(({ seconds, ...rest }, place) => {
    return { ...rest, place, time: seconds === null ? null : at(seconds) }
  })
  const ends = [...new Set(borders.map((border) => border % (items.length + 1)))].toSorted((a, b) => a - b)
  return [...ends, items.length].map((end, i) => records.slice(ends[i - 1] ?? 0, end))
}
const borders = fc.array(fc.nat(), { maxLength: 4 })

/** What goes on, record by record. */
function model(items: readonly Item[], withinS: number | undefined): number[] {
  const last = new Map<string, number>()
  let newest: number | undefined
  return items.flatMap(({ a, b, seconds }, place) => {
    if (seconds !== null) newest = Math.max(newest ?? seconds, seconds)
    const key = JSON.stringify([a === null ? null : String(a), b])
    const seen = last.get(key)
    const isSeen = seen !== undefined && (withinS === undefined || seen >= (newest ?? NEVER) - withinS)
    if (isSeen) return []
    last.set(key, seconds ?? newest ?? NEVER)
    return [place]
  })
}
const NEVER = -1_750_000_000

describe('dedupe', () => {
  test('lets the first of each key go on, however the records are cut into batches', async () => {
    const property = fc.asyncProperty(fc.array(item, { maxLength: 30 }), borders, async (items, ends) => {
      assert.deepEqual(await run({ by: ['a', 'b'] }, batchesOf(items, ends)), model(items, undefined))
    })
    await fc.assert(property, { numRuns: 15 })
  })

  test('forgets keys by the time of records, however they are cut into batches', async () => {
    const property = fc.asyncProperty(fc.array(item, { maxLength: 60 }), borders, async (items, ends) => {
      const config = { by: ['a', 'b'], within: '5s', time: 'time' }
      assert.deepEqual(await run(config, batchesOf(items, ends)), model(items, 5))
    })
    await fc.assert(property, { numRuns: 25 })
  })

  test('finds long chains of records, each of which covers the next few', async () => {
    const items = Array.from({ length: 1000 }, (_, n): Item => ({ a: n % 3, b: null, seconds: n }))
    const config = { by: ['a'], within: '5s', time: 'time' }
    assert.deepEqual(await run(config, batchesOf(items, [])), model(items, 5))
  })

  test('gives the same after crashes', async () => {
    const property = fc.asyncProperty(
      fc.array(item, { minLength: 5, maxLength: 40 }),
      borders,
      fc.nat(),
      async (items, ends, seed) => {
        const config = { by: ['a'], within: '5s', time: 'time' }
        const bare = items.map((one) => ({ ...one, b: null }))
        assert.deepEqual(await run(config, batchesOf(bare, ends), seed), model(bare, 5))
      }
    )
    await fc.assert(property, { numRuns: 6 })
  })

  test('without a time, keys are forgotten by when they came', async () => {
    const record = { a: 1, place: 0 }
    // Between batches the clock of an eager run goes on by seconds.
    const prefix = 'arrival/'
    const options = { batches: { in: [[record, record], [record]] }, eager: true as const }
    const soon = await workshop.run(nodes({ by: ['a'], within: '1h' }, 'soon/'), options)
    const late = await workshop.run(nodes({ by: ['a'], within: '1ms' }, prefix), options)
    assert.deepEqual([soon.ledger.recordsWritten, late.ledger.recordsWritten], [1, 2])
  })

  test('a record whose time can not be read is a dead letter', async () => {
    const batches = [
      [
        { a: 1, place: 0, time: '2026-01-01T00:00:00Z' },
        { a: 2, place: 1, time: 'soon' }
      ]
    ]
    const ran = await workshop.run(nodes({ by: ['a'], within: '1h', time: 'time' }, 'dead/'), {
      batches: { in: batches }
    })
    assert.equal(ran.imbalance, 0)
    assert.equal(ran.ledger.recordsWritten, 1)
    assert.deepEqual(
      ran.deadLetters.map(({ nodeId, record }) => [nodeId, JSON.parse(record)]),
      [['once', { a: 2, place: 1, time: 'soon' }]]
    )
  })

  test('columns that are not there and configurations that can not be meant are refused', async () => {
    const gen = { id: 'in', type: 'generate', config: { count: 1, fields: { n: 'n' } } }
    const [, once, place, out] = nodes({ by: ['none'] }, 'none/')
    await assert.rejects(workshop.run([gen, once, place, out] as never), { code: 'no_such_column', nodeId: 'once' })
    assert.deepEqual(dedupe.check?.({ by: ['a'], time: 't' } as never), [
      { pointer: '/within', message: 'must be there where time is' }
    ])
  })
})
