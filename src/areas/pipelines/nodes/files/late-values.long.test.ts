import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openReading, type Reading } from '../../testing/file-reading.ts'

/** More than DuckDB looks at to find out types. */
const ROWS = 32_000
const LATE = 30_000
const SOON = 10

let reading: Reading
before(async () => {
  reading = await openReading()
})
after(() => reading.close())

type Value = (row: number) => string
const whole: Value = (row) => `${10_000 + row}`
const decimal: Value = (row) => `${row}.5`
const words: Value = (row) => (row % 2 === 0 ? 'true' : 'false')
const time: Value = (row) => `2026-03-01T1${row % 10}:00:00`
const spaced: Value = (row) => `2026-3-1 1${row % 10}:00:00`
const clock: Value = (row) => `1${row % 10}:00:00`

/** What one value comes to in row `at`: its type and text, or why it was refused, where all others go on. */
async function outcome(key: string, usual: Value, value: string, at: number, lineOf: LineOf): Promise<string> {
  const lines = Array.from({ length: ROWS }, (_, row) => lineOf(row, row === at ? value : usual(row)))
  const head = key.endsWith('.tsv') ? 'id\tv\n' : key.endsWith('.csv') ? 'id,v\n' : ''
  const reader = await reading.open(key, `${head}${lines.join('')}`)
  let rows = 0
  const found: string[] = []
  for (let isLast = false; !isLast; ) {
    const given = await reader.next()
    if (given === undefined) break
    for (const part of given.batch.parts) {
      rows += part.rows
      const answer = await reading.database.runAndReadAll(
        `SELECT typeof(v) || ' ' || v::VARCHAR FROM (${part.sql}) WHERE id = ${at}`
      )
      for (const [one] of answer.getRows()) found.push(String(one))
    }
    for (const { reason, origin } of given.batch.rejected ?? []) {
      assert.equal(origin?.line, at + (head === '' ? 1 : 2))
      found.push(reason)
    }
    await given.batch.release()
    isLast = given.isLast
  }
  assert.deepEqual([found.length, rows], [1, /: expected /.test(found[0] ?? '') ? ROWS - 1 : ROWS])
  return found[0] as string
}

type LineOf = (row: number, value: string) => string
const csv: LineOf = (row, value) => `${row},${value}\n`
const tsv: LineOf = (row, value) => `${row}\t${value}\n`
const refused = (value: string, expected: string) => `v: expected ${expected}, got "${value}"`
const NUMBER = 'DOUBLE without zeros in front, plus or underscore'

describe('what comes late in a CSV is what it would be if it came early, or is refused', () => {
  const cases: [usual: Value, value: string, soon: string, late: string][] = [
    [
      time,
      '2026-03-01T10:00:00+02:00',
      'TIMESTAMP WITH TIME ZONE 2026-03-01 08:00:00+00',
      'TIMESTAMP 2026-03-01 08:00:00'
    ],
    [
      time,
      '2026-03-01 10:00:00.5-08',
      'TIMESTAMP WITH TIME ZONE 2026-03-01 18:00:00.5+00',
      'TIMESTAMP 2026-03-01 18:00:00.5'
    ],
    [spaced, '2026-3-1 1:00:00-08', 'TIMESTAMP WITH TIME ZONE 2026-03-01 09:00:00+00', 'TIMESTAMP 2026-03-01 09:00:00'],
    [time, '2026-03-01T10:00:00Z', 'TIMESTAMP WITH TIME ZONE 2026-03-01 10:00:00+00', 'TIMESTAMP 2026-03-01 10:00:00'],
    [clock, '10:00:00+02:00', 'VARCHAR 10:00:00+02:00', refused('10:00:00+02:00', 'TIME without an offset or a date')],
    [whole, '01099', 'VARCHAR 01099', refused('01099', NUMBER)],
    [whole, ' 01099', 'VARCHAR  01099', refused(' 01099', NUMBER)],
    [whole, '1_000', 'VARCHAR 1_000', refused('1_000', NUMBER)],
    [decimal, '1_0.5', 'VARCHAR 1_0.5', refused('1_0.5', NUMBER)],
    [decimal, '007.5', 'VARCHAR 007.5', refused('007.5', NUMBER)],
    [whole, '+5', 'VARCHAR +5', refused('+5', NUMBER)],
    [whole, '0x1F', refused('0x1F', 'DOUBLE'), refused('0x1F', 'DOUBLE')],
    [whole, 'n/a', 'VARCHAR n/a', refused('n/a', 'DOUBLE')],
    [whole, '1e3', 'DOUBLE 1000.0', 'DOUBLE 1000.0'],
    [whole, ' 7 ', 'DOUBLE 7.0', 'DOUBLE 7.0'],
    [whole, '.5', 'DOUBLE 0.5', 'DOUBLE 0.5'],
    [whole, '5.', 'DOUBLE 5.0', 'DOUBLE 5.0'],
    [whole, '-0.25', 'DOUBLE -0.25', 'DOUBLE -0.25'],
    [whole, '9007199254740993', 'BIGINT 9007199254740993', 'BIGINT 9007199254740993'],
    [
      whole,
      '98765432109876543210987',
      'DECIMAL(38,0) 98765432109876543210987',
      'DECIMAL(38,0) 98765432109876543210987'
    ],
    [words, 'maybe', 'VARCHAR maybe', refused('maybe', 'BOOLEAN')],
    [words, '1', 'VARCHAR 1', refused('1', 'BOOLEAN in words')],
    [(row) => `0${1000 + row}`, '1099', 'VARCHAR 1099', 'VARCHAR 1099']
  ]
  for (const [usual, value, soon, late] of cases) {
    test(`${value} among ${usual(0)}`, async () => {
      assert.equal(await outcome('a.csv', usual, value, SOON, csv), soon)
      assert.equal(await outcome('a.csv', usual, value, LATE, csv), late)
      assert.equal(await outcome('a.tsv', usual, value, ROWS - 1, tsv), late)
    })
  }
})

describe('what comes late in NDJSON is what it would be if it came early', () => {
  const json: LineOf = (row, value) => `{"id":${row},"v":${value}}\n`
  const quoted =
    (usual: Value): Value =>
    (row) =>
      JSON.stringify(usual(row))
  for (const [usual, value, expected] of [
    [quoted(time), '"2026-03-01T10:00:00+02:00"', 'VARCHAR 2026-03-01T10:00:00+02:00'],
    [whole, '"01099"', 'VARCHAR 01099'],
    [whole, '0.5', 'DOUBLE 0.5'],
    [words, '"maybe"', 'VARCHAR maybe']
  ] as const) {
    test(`${value} among ${usual(0)}`, async () => {
      for (const at of [SOON, LATE, ROWS - 1]) assert.equal(await outcome('a.ndjson', usual, value, at, json), expected)
    })
  }
})

test('the log warns of whole numbers in JSON that a DOUBLE rounds, wherever they come', async () => {
  for (const [value, told] of [
    ['9007199254740993', 'BIGINT'],
    ['98765432109876543210987', 'HUGEINT']
  ] as const) {
    const lines = Array.from({ length: ROWS }, (_, row) => `{"id":${row},"v":${row === LATE ? value : row}}`)
    for (const [key, text] of [
      ['a.ndjson', lines.join('\n')],
      ['a.json', `[${lines.join(',')}]`]
    ] as const) {
      const { log } = await reading.read(key, text)
      const reason = `has numbers in v of which a DOUBLE, which numbers of JSON are, may lose digits; tell \`columns\``
      assert.deepEqual(log, [`Object ${key} ${reason} ({"v":"${told}"}) if they are whole ones`])
      const exact = await reading.read(key, text, { columns: { v: told } })
      assert.deepEqual([String(exact.records[LATE]?.values.v), exact.log], [value, []])
    }
  }
})

describe('a later object', () => {
  test('without a header has a value refused in its first line too', async () => {
    const types = { types: { column0: 'DOUBLE' } }
    const { rejected } = await reading.read('b.csv', '1_000,x\n2,y\n', { csv: { header: false } }, { types })
    assert.deepEqual(
      rejected.map(({ reason, origin }) => [reason, origin?.line]),
      [[`column0: expected ${NUMBER}, got "1_000"`, 1]]
    )
  })

  test('keeps the instants of a column without offsets, and has values refused that are written otherwise', async () => {
    const types = { types: { at: 'TIMESTAMP', n: 'DOUBLE', id: 'BIGINT', key: 'DECIMAL(38,0)' } }
    const text = [
      'at,n,id,key,day',
      '2026-03-01T10:00:00+02:00,1,1,1,31/03/2026',
      '2026-03-01T10:00:00,01,2,2,31/03/2026',
      '2026-03-01T10:00:00,3,0x1F,3,31/03/2026',
      '2026-03-01T10:00:00,4,4,1.5,31/03/2026\n'
    ].join('\n')
    const read = await reading.read('b.csv', text, {}, { types })
    assert.deepEqual(
      read.records.map(({ values }) => [values.at, values.n]),
      [['2026-03-01 08:00:00', 1]]
    )
    assert.deepEqual(
      read.rejected.map(({ reason, origin }) => [reason, origin?.line]),
      [
        [`n: expected ${NUMBER}, got "01"`, 3],
        ['id: expected BIGINT without zeros in front, plus or underscore, got "0x1F"', 4],
        ['key: expected DECIMAL(38,0), got "1.5"', 5]
      ]
    )
    assert.deepEqual(JSON.parse(read.rejected[0]?.record ?? ''), {
      at: '2026-03-01T10:00:00',
      n: '01',
      id: '2',
      key: '2',
      day: '31/03/2026'
    })
  })
})
