import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { JsonRecord } from '../records/table.ts'
import { type NodeText, openWorkshop, type Workshop } from '../testing/workshop.ts'

/** Where the first record decides something for those after it, that is the first that came, however they came in batches. */

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

let runs = 0
const time = (second: number) => `2026-03-09T13:00:0${second}Z`
const settings = { numRuns: Number(process.env.PROPERTY_RUNS ?? 8), endOnFailure: true, includeErrorInReport: true }

/** What became of points: who was refused and why, what is stored, and the types of tags. */
async function points(between: readonly NodeText[], batches: readonly (readonly JsonRecord[])[]) {
  runs += 1
  const source = `src_${runs}`
  const old = [
    { tag: 'number', time: time(0), value: 1 },
    { tag: 'text', time: time(0), value: 'a' },
    { tag: 'flag', time: time(0), value: true }
  ]
  const body = new TextEncoder().encode(old.map((point) => JSON.stringify(point)).join('\n'))
  await workshop.gateway.writeSeries(source, 'ndjson', body)
  const config = { source, time: 'time', tag: 'tag', value: 'value', quality: 'quality' }
  const inputs = [between.at(-1)?.id ?? 'in']
  const sink = { id: 'out', type: 'series', config, inputs }
  const ran = await workshop.run([{ id: 'in', type: 'webhook', config: {} }, ...between, sink], {
    batches: { in: batches }
  })
  assert.equal(ran.imbalance, 0)
  const refused = ran.deadLetters.map(({ nodeId, code, reason, record, columns }) => {
    const { id, value } = JSON.parse(record)
    const type = columns?.find(({ name }) => name === 'value')?.type
    // With nothing in it, its type is that of those beside it.
    return { id, value, nodeId, code, reason, type: value === null || value === undefined ? '' : type }
  })
  const { tags } = await (await workshop.series()).tags(source, { limit: 100 })
  return {
    refused: refused.toSorted((a, b) => a.id - b.id),
    stored: await workshop.points(source),
    types: tags.map(({ name, type }) => [name, type])
  }
}

const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
  fc.integer({ min: -5, max: 100 }),
  fc.constantFrom('n/a', '', '61.5', 'true'),
  fc.boolean(),
  fc.constantFrom(null, { x: 1 }, [1])
)
const point = fc.record(
  {
    tag: fc.constantFrom<unknown>('new', 'new', 'newer', 'number', 'text', 'flag', 5, '', null, 'a b'),
    time: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 3 }).map(time) },
      fc.constantFrom('soon', 5, null)
    ),
    value,
    quality: fc.constantFrom<unknown>('good', 'bad', undefined, 'odd', 1)
  },
  { requiredKeys: ['tag', 'value', 'time'] }
)
const arrivals = fc.array(fc.tuple(point, fc.boolean()), { minLength: 2, maxLength: 12 })

/** The same records in the same order, divided otherwise. */
function divided(drawn: readonly (readonly [JsonRecord, boolean])[]): JsonRecord[][] {
  const batches: JsonRecord[][] = [[]]
  for (const [id, [record, isFirst]] of drawn.entries()) {
    if (isFirst) batches.push([])
    batches.at(-1)?.push({ id, ...record })
  }
  return batches
}

const chains: Record<string, NodeText[]> = {
  'as they come': [],
  'through nodes': [
    { id: 'f', type: 'filter', config: { where: "tag IS NULL OR tag::VARCHAR <> 'newer'" }, inputs: ['in'] },
    { id: 'm', type: 'map', config: { select: { more: 'value' }, keep: true }, inputs: ['f'] }
  ]
}
for (const [what, between] of Object.entries(chains)) {
  test(`points and the types of tags are those of the order of arrival: ${what}`, async () => {
    const property = fc.asyncProperty(arrivals, async (drawn) => {
      const alone = drawn.map(([record], id) => [{ id, ...record }])
      const expected = await points(between, alone)
      assert.deepEqual(await points(between, divided(drawn)), expected)
      assert.deepEqual(await points(between, [alone.flat()]), expected)
    })
    await fc.assert(property, settings)
  })
}

test('a text that came first makes a tag of texts, though numbers are more', async () => {
  const records = ['n/a', 1, 2, 'x', 3].map((one, id) => ({ id, tag: 'new', time: time(id), value: one }))
  const { refused, stored, types } = await points([], [records])
  assert.deepEqual(
    refused.map(({ id, code }) => [id, code]),
    [
      [1, 'type_conflict'],
      [2, 'type_conflict'],
      [4, 'type_conflict']
    ]
  )
  assert.deepEqual(
    stored.filter(({ tag }) => tag === 'new').map((one) => one.value),
    ['n/a', 'x']
  )
  assert.deepEqual(
    types.find(([name]) => name === 'new'),
    ['new', 'string']
  )
})

test('records of many kinds cost one write, however they alternate', async () => {
  let writes = 0
  const batch = Array.from({ length: 1000 }, (_, i) => {
    return { tag: `t${i % 3}`, time: time(i % 10), value: [i, `${i}`, i % 2 === 0][i % 3] }
  })
  const config = { source: 'src_writes', time: 'time', tag: 'tag', value: 'value' }
  const ran = await workshop.run(
    [
      { id: 'in', type: 'webhook', config: {} },
      { id: 'out', type: 'series', config, inputs: ['in'] }
    ],
    {
      batches: { in: [batch] },
      gateway: {
        writeSeries: (...args) => {
          writes += 1
          return workshop.gateway.writeSeries(...args)
        }
      }
    }
  )
  assert.deepEqual([ran.ledger.recordsWritten, writes], [1000, 1])
})

test('objects hold records in the order in which they came, whatever their kinds', async () => {
  const batch = ['a', 1, true, 2, 'b', { x: 1 }, 3].map((one, id) => ({ id, value: one }))
  for (const format of ['ndjson', 'csv']) {
    const config = { bucket: 'b', prefix: `arrived-${format}/`, format }
    const nodes = [
      { id: 'in', type: 'webhook', config: {} },
      { id: 'out', type: 'object', config, inputs: ['in'] }
    ]
    await workshop.run(nodes, { batches: { in: [batch, [{ id: 7, value: 'c' }]] } })
    const [key = ''] = await workshop.keys(config.prefix)
    const lines = (await workshop.read(key)).toString().trim().split('\n')
    if (format === 'ndjson') {
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        [...batch, { id: 7, value: 'c' }]
      )
    } else assert.deepEqual(lines.map((line) => Number.parseInt(line, 10)).slice(1), [0, 1, 2, 3, 4, 5, 6, 7])
  }
})

test('records of which Parquet takes no kind are refused, and the run goes on', async () => {
  const batches = [
    [{ id: 0, value: 1 }],
    ['a', true, 'b'].map((value, i) => ({ id: i + 1, value })),
    [{ id: 4, value: 2 }]
  ]
  const config = { bucket: 'b', prefix: 'none/', format: 'parquet' }
  const nodes = [
    { id: 'in', type: 'webhook', config: {} },
    { id: 'out', type: 'object', config, inputs: ['in'] }
  ]
  const ran = await workshop.run(nodes, { batches: { in: batches } })
  assert.deepEqual([ran.end, ran.imbalance, ran.ledger.recordsWritten], ['completed', 0, 2])
  assert.deepEqual(ran.deadLetters.map(({ code, record }) => [code, JSON.parse(record).id]).toSorted(), [
    ['wrong_type', 1],
    ['wrong_type', 2],
    ['wrong_type', 3]
  ])
})

test('the type of a column of Parquet is that of the first record, though others are more', async () => {
  const batch = ['a', 1, 2, 3, 'b'].map((one, id) => ({ id, value: one }))
  const config = { bucket: 'b', prefix: 'first/', format: 'parquet' }
  const nodes = [
    { id: 'in', type: 'webhook', config: {} },
    { id: 'out', type: 'object', config, inputs: ['in'] }
  ]
  const ran = await workshop.run(nodes, { batches: { in: [batch] } })
  assert.deepEqual(
    ran.deadLetters.map(({ code, record }) => [code, JSON.parse(record).value]),
    [1, 2, 3].map((one) => ['wrong_type', one])
  )
  assert.match(ran.deadLetters[0]?.reason ?? '', /^value: expected VARCHAR, as .* got DOUBLE/)
  const rows = await workshop.rows('SELECT value FROM objects', 'first/')
  assert.deepEqual(
    rows.map(({ value: one }) => one),
    ['a', 'b']
  )
})
