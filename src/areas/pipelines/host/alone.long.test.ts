import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { JsonRecord } from '../records/table.ts'
import { type NodeText, openWorkshop, type Workshop } from '../testing/workshop.ts'

/** What becomes of a record depends on the record and the definition, never on those that come with it. */

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

let runs = 0

/** By the record's number: what arrived of it, or the node that refused it and why. */
async function fates(nodes: readonly NodeText[], batches: readonly (readonly JsonRecord[])[]) {
  runs += 1
  const prefix = `alone-${runs}/`
  const [last] = nodes.slice(-1)
  const out = {
    id: 'out',
    type: 'object',
    config: { bucket: 'b', prefix, format: 'ndjson' },
    inputs: [last?.id ?? 'in']
  }
  const source = { id: 'in', type: 'webhook', config: {} }
  const ran = await workshop.run([source, ...nodes, out], { batches: { in: batches } })
  assert.equal(ran.imbalance, 0)
  const found = new Map<number, unknown>()
  for (const { nodeId, code, record } of ran.deadLetters) found.set(JSON.parse(record).id, [nodeId, code])
  for (const line of await linesOf(prefix)) {
    const record = JSON.parse(line)
    assert.ok(!found.has(record.id), `record ${record.id} is there twice`)
    found.set(record.id, record)
  }
  return new Map([...found].toSorted(([a], [b]) => a - b))
}

async function linesOf(prefix: string): Promise<string[]> {
  const lines: string[] = []
  for (const key of await workshop.keys(prefix)) {
    const text = (await workshop.read(key)).toString()
    lines.push(...text.split('\n').filter((line) => line !== ''))
  }
  return lines
}

const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
  fc.integer({ min: -5, max: 100 }),
  fc.constantFrom('n/a', '', '61.5', '61,5', 'ada@example.com', '2026-03-09T13:00:00Z', 'true', 'x'),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom({ x: 1 }, [1, 'a'], {})
)
const record = fc.record({ a: value, b: value, c: value, extra: value }, { requiredKeys: [] })

const map = (select: object, keep = true) => [{ id: 'm', type: 'map', config: { select, keep }, inputs: ['in'] }]
const chains: Record<string, NodeText[]> = {
  nothing: [],
  'casts that may fail': map({ v: 'a::DOUBLE', w: "replace(b::VARCHAR, ',', '.')::DOUBLE" }),
  'a cast in a branch': map({ v: "CASE WHEN a::VARCHAR = 'n/a' THEN NULL ELSE a::DOUBLE END" }),
  'functions that know one type': map({ v: 'upper(a)' }),
  'values instead of nothing': map({ v: "coalesce(a, 'none')", w: 'coalesce(b, 0)' }),
  'values as they are': map({ id: 'id', v: 'a', w: "b || '!'" }, false),
  'the record as a whole': map({ raw: "json_extract(to_json(input), '$.a')" }),
  'a condition on a number': [{ id: 'f', type: 'filter', config: { where: 'a > 10' }, inputs: ['in'] }],
  'a condition and a cast': [
    { id: 'f', type: 'filter', config: { where: 'a IS NOT NULL' }, inputs: ['in'] },
    { id: 'm', type: 'map', config: { select: { v: 'a::INTEGER + 1' }, keep: true }, inputs: ['f'] }
  ],
  mask: [{ id: 'k', type: 'mask', config: { columns: { a: 'last4', b: 'hash' } }, inputs: ['in'] }],
  classify: [{ id: 'k', type: 'classify', config: {}, inputs: ['in'] }],
  validate: [
    {
      id: 'v',
      type: 'validate',
      config: { schema: { properties: { a: { type: 'number' }, b: { type: ['string', 'number'] } } } },
      inputs: ['in']
    }
  ]
}

/** The same records in another order, in batches of other sizes. */
const division = fc.array(fc.tuple(record, fc.double({ noNaN: true }), fc.boolean()), { minLength: 1, maxLength: 9 })

for (const [what, nodes] of Object.entries(chains)) {
  test(`order and batches change nothing: ${what}`, async () => {
    const property = fc.asyncProperty(division, async (drawn) => {
      const records = drawn.map(([one], id) => ({ id, ...one }))
      const alone = await fates(
        nodes,
        records.map((one) => [one])
      )
      const shuffled = drawn.map(([, key, isFirst], i) => ({ key, isFirst, record: records[i] as JsonRecord }))
      const batches: JsonRecord[][] = [[]]
      for (const { isFirst, record: one } of shuffled.toSorted((a, b) => a.key - b.key)) {
        if (isFirst) batches.push([])
        batches.at(-1)?.push(one)
      }
      assert.deepEqual(await fates(nodes, batches), alone)
    })
    await fc.assert(property, { numRuns: Number(process.env.PROPERTY_RUNS ?? 6), endOnFailure: true })
  })
}
