import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** Runs records of which some have odd times, told as SQL, between records that have ordinary ones. */
async function run(source: string, odd: readonly string[], ordinary: string) {
  const cases = odd.map((time, index) => `WHEN ${(index + 1) * 100} THEN ${time}`)
  const fields = { n: 'n', time: `CASE n ${cases.join(' ')} ELSE ${ordinary} END` }
  return workshop.run([
    { id: 'gen', type: 'generate', config: { count: 5000, fields } },
    { id: 'out', type: 'series', config: { source, time: 'time', tag: "'t'", value: 'n' }, inputs: ['gen'] }
  ])
}

const TEXTS = [
  "'9999-12-31'",
  "'0001-01-01'",
  "'2026-01-01 00:00:00 Mars/Phobos'",
  "'infinity'",
  "'soon'",
  "''",
  'NULL'
]
const TIMES = [
  "TIMESTAMP '9999-12-31'",
  "TIMESTAMP '0001-01-01'",
  "'infinity'::TIMESTAMP",
  "'-infinity'::TIMESTAMP",
  'NULL'
]

for (const [kind, odd, ordinary] of [
  ['texts', TEXTS, "(TIMESTAMP '2026-01-01' + to_milliseconds(n))::VARCHAR"],
  ['timestamps', TIMES, "TIMESTAMP '2026-01-01' + to_milliseconds(n)"],
  [
    'timestamps with zones',
    TIMES.map((time) => `(${time})::TIMESTAMPTZ`),
    "TIMESTAMPTZ '2026-01-01 00:00:00Z' + to_milliseconds(n)"
  ],
  [
    'days',
    ["DATE '9999-12-31'", "DATE '0001-01-01'", "'infinity'::DATE", 'NULL'],
    "DATE '2026-01-01' + (n % 9)::INTEGER"
  ]
] as const) {
  test(`times that no point can have cost only their records: ${kind}`, async () => {
    const ran = await run(`src_${kind.replaceAll(' ', '_')}`, odd, ordinary)
    assert.equal(ran.end, 'completed')
    assert.equal(ran.imbalance, 0)
    assert.deepEqual(
      ran.deadLetters.map(({ record }) => Number(JSON.parse(record).n)),
      odd.map((_, index) => (index + 1) * 100)
    )
    assert.equal(ran.ledger.recordsWritten, 5000 - odd.length)
    for (const [index, { code, reason }] of ran.deadLetters.entries()) {
      assert.equal(code, odd[index]?.includes('NULL') ? 'no_time' : 'wrong_type', reason)
    }
    assert.match(
      ran.deadLetters[0]?.reason ?? '',
      /^time: expected a time from 1677-09-22 to 2262-04-11, got "9999-12-31/
    )
  })
}

test('one in a hundred of many records may have such a time, and the others take no longer', async () => {
  const time = `CASE WHEN n % 100 = 99 THEN TIMESTAMP '9999-12-31' ELSE TIMESTAMP '2026-01-01' + to_milliseconds(n) END`
  const ran = await workshop.run([
    { id: 'gen', type: 'generate', config: { count: 200_000, fields: { n: 'n', time } } },
    { id: 'out', type: 'series', config: { source: 'src_many', time: 'time', tag: "'t'", value: 'n' }, inputs: ['gen'] }
  ])
  assert.deepEqual([ran.end, ran.deadLetters.length, ran.ledger.recordsWritten], ['completed', 2000, 198_000])
})

test('an infinite time in nanoseconds is none', async () => {
  const odd = ["'infinity'::TIMESTAMP_NS", "'-infinity'::TIMESTAMP_NS"]
  const ran = await run('src_nanoseconds', odd, "TIMESTAMP_NS '2026-01-01'")
  assert.deepEqual([ran.end, ran.ledger.recordsWritten], ['completed', 4998])
  assert.deepEqual(new Set(ran.deadLetters.map(({ code }) => code)), new Set(['wrong_type']))
})
