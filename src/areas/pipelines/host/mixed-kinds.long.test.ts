import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openWorkshop, type Workshop } from '../testing/workshop.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const hook = (config = {}) => ({ id: 'hook', type: 'webhook', config })
const time = '2026-03-09T13:00:00Z'

test('one text among numbers is refused by its tag, and all others go on', async () => {
  const nodes = [
    hook(),
    {
      id: 'm',
      type: 'map',
      config: { select: { time: 'time::TIMESTAMPTZ', tag: 'tag', value: 'value' } },
      inputs: ['hook']
    },
    {
      id: 'out',
      type: 'series',
      config: { source: 'src_mixed', time: 'time', tag: 'tag', value: 'value' },
      inputs: ['m']
    }
  ]
  const point = (tag: string, value: unknown) => ({ time, tag, value })
  const batches = [
    [point('a', 1)],
    [point('a', 2), point('b', 3), point('a', 'n/a'), point('c', 4), point('d', 5), point('e', 6)],
    [point('f', 'n/a'), point('g', 7.5)],
    [point('g', 8)]
  ]
  const ran = await workshop.run(nodes, { batches: { hook: batches } })
  assert.deepEqual(
    ran.deadLetters.map(({ nodeId, code, record }) => [nodeId, code, JSON.parse(record).value]),
    [['out', 'type_conflict', 'n/a']]
  )
  const points = await workshop.points('src_mixed')
  assert.deepEqual(Object.fromEntries(points.map(({ tag, value }) => [tag, value])), {
    a: '2.0',
    b: '3.0',
    c: '4.0',
    d: '5.0',
    e: '6.0',
    f: 'n/a',
    g: '8.0'
  })
  assert.equal(ran.imbalance, 0)
})

test('an expression that does not take the type of one record takes all others', async () => {
  const select = { time: 'coalesce(time, _time)::TIMESTAMPTZ', tag: "split_part(_topic, '/', 2)", value: 'value' }
  const nodes = [
    hook(),
    { id: 'points', type: 'map', config: { select }, inputs: ['hook'] },
    { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'coalesce/', format: 'ndjson' }, inputs: ['points'] }
  ]
  const message = (at: unknown, value: number) => ({ time: at, _time: time, _topic: 'plant/press', value })
  const batch = [message(time, 1), message(null, 2), message(1773061200, 3), message(time, 4)]
  const ran = await workshop.run(nodes, { batches: { hook: [batch] } })
  assert.deepEqual(
    ran.deadLetters.map(({ nodeId, code, record }) => [nodeId, code, JSON.parse(record).value]),
    [['points', 'wrong_type', 3]]
  )
  assert.match(ran.deadLetters[0]?.reason ?? '', /^time is DOUBLE/)
  const rows = await workshop.rows('SELECT value FROM objects ORDER BY value', 'coalesce/')
  assert.deepEqual(
    rows.map(({ value }) => value),
    [1, 2, 4]
  )
})

test('records have no fields that only a refused neighbour had', async () => {
  const schema = { properties: { n: { type: 'number' } }, additionalProperties: false }
  for (const format of ['ndjson', 'parquet', 'csv']) {
    const nodes = [
      hook(),
      { id: 'v', type: 'validate', config: { schema }, inputs: ['hook'] },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: `extra-${format}/`, format }, inputs: ['v'] }
    ]
    await workshop.run(nodes, { batches: { hook: [[{ n: 1 }, { n: 2, extra: true }, { n: 3 }]] } })
    assert.deepEqual(await workshop.rows('SELECT * FROM objects ORDER BY n', `extra-${format}/`), [{ n: 1 }, { n: 3 }])
  }
})

test('types that are told hold for every record, and refusals name field, expected and got', async () => {
  const columns = { n: 'BIGINT', at: 'TIMESTAMP', price: 'DECIMAL(6, 2)', note: 'VARCHAR', raw: 'JSON' }
  const nodes = [
    hook({ columns }),
    { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'told/', format: 'parquet' }, inputs: ['hook'] }
  ]
  const good = { n: 1, at: '2026-03-09T13:00:00+02:00', price: '12.345', note: 5, raw: { a: 1 }, more: 'x' }
  const bad = [{ n: 2.5 }, { n: 'three' }, { n: 4, at: 'soon' }, { n: 5, price: 'free' }]
  const ran = await workshop.run(nodes, { batches: { hook: [[good, ...bad], [{ n: '6' }]] } })
  assert.deepEqual(
    ran.deadLetters.map(({ nodeId, code, reason }) => [nodeId, code, reason]),
    [
      ['hook', 'wrong_type', 'n: expected BIGINT, got 2.5'],
      ['hook', 'wrong_type', 'n: expected BIGINT, got "three"'],
      ['hook', 'wrong_type', 'at: expected TIMESTAMP, got "soon"'],
      ['hook', 'wrong_type', 'price: expected DECIMAL(6, 2), got "free"']
    ]
  )
  assert.equal(ran.imbalance, 0)
  const rows = await workshop.rows(
    'SELECT n, "at"::VARCHAR AS "at", price::VARCHAR AS price, note, typeof(n) AS type, raw::VARCHAR AS raw FROM objects ORDER BY n',
    'told/'
  )
  assert.deepEqual(rows, [
    { n: 1, at: '2026-03-09 11:00:00', price: '12.35', note: '5', type: 'BIGINT', raw: '{"a":1}' },
    { n: 6, at: null, price: null, note: null, type: 'BIGINT', raw: null }
  ])
})

test('a batch with many bad records is computed as a whole, and keeps its order', async () => {
  const rows = 50_000
  const nodes = [
    {
      id: 'gen',
      type: 'generate',
      config: { count: rows, fields: { n: 'n', v: "CASE WHEN n % 10 = 3 THEN 'n/a' ELSE n::VARCHAR END" } }
    },
    {
      id: 'm',
      type: 'map',
      config: { select: { n: 'n', v: 'CASE WHEN n = 3 THEN 0 ELSE v::DOUBLE END' } },
      inputs: ['gen']
    },
    { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'many/', format: 'parquet' }, inputs: ['m'] }
  ]
  const ran = await workshop.run(nodes)
  // The third is in a branch that does not cast.
  assert.equal(ran.deadLetters.length, rows / 10 - 1)
  const [first] = ran.deadLetters
  assert.deepEqual(
    [first?.reason, first?.origin, first?.code],
    ['v: expected DOUBLE, got "n/a"', { n: 13 }, 'invalid_value']
  )
  assert.deepEqual(
    await workshop.rows(
      'SELECT count(*)::INTEGER AS c, bool_and(n > coalesce(before, -1)) AS ordered FROM (SELECT n, lag(n) OVER (ORDER BY rowid) AS before FROM (SELECT n, row_number() OVER () AS rowid FROM objects))',
      'many/'
    ),
    [{ c: (rows / 10) * 9 + 1, ordered: true }]
  )
})

test('a time in a CSV that is none is refused, whether the type is told or found, and times are written as ISO 8601', async () => {
  const csv = `n,at\n1,2026-03-09T13:00:00+01:00\n2,gestern\n3,\n4,2026-13-45T00:00:00Z\n`
  await workshop.put('times.csv', csv)
  for (const columns of [{ at: 'TIMESTAMPTZ' }, undefined]) {
    const prefix = `times-${columns === undefined ? 'found' : 'told'}/`
    const late =
      columns === undefined
        ? csv.replace('2,gestern\n', `${'2,2026-03-09T13:00:00Z\n'.repeat(30_000)}2,gestern\n`)
        : csv
    await workshop.put('times.csv', late)
    const ran = await workshop.run([
      { id: 'in', type: 'file', config: { reference: 'object://b/times.csv', ...(columns && { columns }) } },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'ndjson' }, inputs: ['in'] }
    ])
    assert.deepEqual(
      ran.deadLetters.map(({ code, reason }) => [code, reason.replace('TIMESTAMP WITH TIME ZONE', 'TIMESTAMPTZ')]),
      [
        ['wrong_type', 'at: expected TIMESTAMPTZ, got "gestern"'],
        ['wrong_type', 'at: expected TIMESTAMPTZ, got "2026-13-45T00:00:00Z"']
      ]
    )
    const [key = ''] = await workshop.keys(prefix)
    const [first] = (await workshop.read(key)).toString().split('\n')
    assert.equal(JSON.parse(first ?? '').at, '2026-03-09T12:00:00Z')
    assert.equal(ran.imbalance, 0)
  }
})

test('numbers that are infinite or none are texts in JSON, and no points', async () => {
  const nodes = (sink: object) =>
    [hook({ columns: { v: 'DOUBLE', n: 'BIGINT' } }), { id: 'out', inputs: ['hook'], ...sink }] as never
  const batches = { hook: [[{ n: 1, v: 'NaN' }, { n: 2, v: 'Infinity' }, { n: 3, v: 4 }, { n: 4 }]] }
  await workshop.run(nodes({ type: 'object', config: { bucket: 'b', prefix: 'nan/', format: 'ndjson' } }), { batches })
  const [key = ''] = await workshop.keys('nan/')
  const lines = (await workshop.read(key)).toString().trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).v),
    ['nan', 'inf', 4, null]
  )
  const config = { source: 'src_nan', time: 'n', tag: "'t'", value: 'v' }
  const timed = [
    hook({ columns: { v: 'DOUBLE' } }),
    { id: 'm', type: 'map', config: { select: { n: 'make_timestamp(n::BIGINT)', v: 'v' } }, inputs: ['hook'] },
    { id: 'out', type: 'series', config, inputs: ['m'] }
  ]
  const ran = await workshop.run(timed, { batches })
  assert.deepEqual(
    ran.deadLetters.map(({ code, reason, record }) => [code, reason, JSON.parse(record).v]),
    [
      ['wrong_type', 'v: expected a finite number, got "nan"', 'nan'],
      ['wrong_type', 'v: expected a finite number, got "inf"', 'inf'],
      ['no_value', 'v: there is no value', null]
    ]
  )
  assert.equal(ran.ledger.recordsWritten, 1)
})

test('a tag that is named by a number is named as everybody writes it', async () => {
  const nodes = [
    hook(),
    {
      id: 'm',
      type: 'map',
      config: { select: { t: 'make_timestamp(0::BIGINT)', n: 'n', v: '1.5' } },
      inputs: ['hook']
    },
    { id: 'out', type: 'series', config: { source: 'src_seven', time: 't', tag: 'n', value: 'v' }, inputs: ['m'] }
  ]
  await workshop.run(nodes, { batches: { hook: [[{ n: 7 }, { n: 7.5 }, { n: '8.0' }]] } })
  assert.deepEqual(
    (await workshop.points('src_seven')).map(({ tag }) => tag),
    ['7', '7.5', '8.0']
  )
})

test('whole numbers of a CSV are not rounded, and an object without a record is told', async () => {
  await workshop.put('whole.csv', 'n,v\n1,2\n2,1.5\n3,9007199254740993\n')
  const run = (config: object, prefix: string) =>
    workshop.run([
      { id: 'in', type: 'file', config: { reference: 'object://b/whole.csv', ...config } },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'parquet' }, inputs: ['in'] }
    ])
  const told = await run({ columns: { v: 'BIGINT' } }, 'whole/')
  assert.deepEqual(
    told.deadLetters.map(({ reason }) => reason),
    ['v: expected BIGINT, got "1.5"']
  )
  const rows = await workshop.rows('SELECT v::VARCHAR AS v FROM objects ORDER BY n', 'whole/')
  assert.deepEqual(
    rows.map(({ v }) => v),
    ['2', '9007199254740993']
  )
  const garbled = await run({ csv: { encoding: 'utf-16le' } }, 'garbled/')
  assert.ok(garbled.log.some(({ level, message }) => level === 'warn' && message.includes('no record in it')))
})
