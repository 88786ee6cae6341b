import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openTestPlane, type TestPlane } from './testing/plane.ts'

/** More than DuckDB looks at by itself to find out columns and types. */
const ROWS = 30_000
const LATE = 25_000

const lines = (header: string, lineOf: (row: number, isLate: boolean) => string): string =>
  `${header}${Array.from({ length: ROWS }, (_, row) => lineOf(row, row >= LATE)).join('\n')}\n`

describe('values that come late in a file', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane()
  })
  after(() => test.close())

  /** What a SELECT over a file tells. */
  async function read(key: string, text: string, sql: string): Promise<unknown> {
    await test.put(key, text)
    return (await test.rows(sql, { d: `object://b/${key}` }))[0]
  }

  for (const [what, key, text, sql, expected] of [
    [
      'are decimals, where only whole numbers came before',
      'a.csv',
      lines('id,n\n', (row, isLate) => `${row},${isLate ? 5.5 : 5}`),
      'SELECT count(*), max(n) FROM d',
      [ROWS, 5.5]
    ],
    [
      'are texts, where only numbers came before',
      'a.csv',
      lines('id,n\n', (row, isLate) => `${row},${isLate ? 'n/a' : row}`),
      'SELECT count(n), count(try_cast(n AS INTEGER)) FROM d',
      [ROWS, LATE]
    ],
    [
      'keep their zeros',
      'a.csv',
      lines('id,plz\n', (row, isLate) => `${row},${isLate ? '03000' : '12345'}`),
      'SELECT min(plz), max(plz) FROM d',
      ['03000', '12345']
    ],
    [
      'tell in which order days and months stand',
      'a.csv',
      lines('id,day\n', (row, isLate) => `${row},${isLate ? '31/12/2026' : '05/06/2026'}`),
      'SELECT month(min(day)), month(max(day)) FROM d',
      [6, 12]
    ],
    [
      'may be the first in quotes, with the delimiter and line breaks in them',
      'a.csv',
      lines('id,n,t\n', (row, isLate) => (isLate ? `${row},"1,5","a ""b""\nc"` : `${row},1,x`)),
      "SELECT count(*), count(*) FILTER (n = '1,5'), max(id), min(t) FROM d",
      [ROWS, ROWS - LATE, ROWS - 1, 'a "b"\nc']
    ],
    [
      'are decimals in tabs too',
      'a.tsv',
      lines('id\tn\n', (row, isLate) => `${row}\t${isLate ? 5.5 : 5}`),
      'SELECT count(*), max(n) FROM d',
      [ROWS, 5.5]
    ],
    [
      'are decimals and a column of their own in JSON',
      'a.ndjson',
      lines('', (row, isLate) => (isLate ? `{"id":${row},"n":5.5,"late":"x"}` : `{"id":${row},"n":5}`)),
      'SELECT count(*), max(n), count(late) FROM d',
      [ROWS, 5.5, ROWS - LATE]
    ],
    [
      'are texts among numbers in JSON',
      'a.ndjson',
      lines('', (row, isLate) => `{"id":${row},"n":${isLate ? '"n/a"' : 5}}`),
      'SELECT count(n), count(try_cast(n AS INTEGER)), max(n) FROM d',
      [ROWS, LATE, 'n/a']
    ],
    [
      'are a single list or object among texts in JSON, which change no other',
      'a.ndjson',
      lines('', (row) => `{"id":${row},"n":${row === LATE ? '["paid"]' : row === LATE + 1 ? '{"a":1}' : '"paid"'}}`),
      "SELECT count(n), count(*) FILTER (n = 'paid'), max(n) FILTER (n LIKE '{%'), max(n) FILTER (n LIKE '[%') FROM d",
      [ROWS, ROWS - 2, '{"a":1}', '["paid"]']
    ],
    [
      'are objects among texts in JSON',
      'a.ndjson',
      lines('', (row, isLate) => `{"id":${row},"n":${isLate ? '{"a":1}' : '"x"'}}`),
      "SELECT count(n), sum((n ->> '$.a')::INTEGER), count(*) FILTER (n = '\"x\"') FROM d",
      [ROWS, ROWS - LATE, LATE]
    ],
    [
      'are times in JSON, in whichever form',
      'a.ndjson',
      lines(
        '',
        (row, isLate) => `{"t":"2026-03-01T10:00:00Z","d":"${isLate ? '31-12-2026' : '05-06-2026'}","n":${row}}`
      ),
      'SELECT hour(max(t)), month(max(d)), max(n) FROM d',
      [10, 12, ROWS - 1]
    ]
  ] as const) {
    it(what, async () => {
      assert.deepEqual(await read(key, text, sql), expected)
    })
  }

  it('are found in packed files, and in each file of a pattern', async () => {
    await test.put('many/1.csv', 'id,n,t\n')
    await test.put(
      'many/2.csv',
      lines('id,n,t\n', (row) => `${row},5,31.12.2026`)
    )
    await test.put('many/3.csv.gz', gzipSync(lines('n,id,more\n', (row, isLate) => `${isLate ? 5.5 : 5},${row},x`)))
    const sql = 'SELECT count(*), max(n), count(more), month(max(t)) FROM d'
    assert.deepEqual(await test.rows(sql, { d: 'object://b/many/*' }), [[2 * ROWS, 5.5, ROWS, 12]])
  })

  for (const [what, key, text, expected] of [
    ['quotation marks of another kind', 'q.csv', "a,b\n'x,y',1\n'z',2\n", ['x,y', 1]],
    ['marks that are written with a backslash', 'q.csv', 'a,b\n"x\\"y",1\n"z",2\n', ['x"y', 1]],
    ['a mark that quotes nothing', 'q.csv', 'a,b\n1,"x" y\n2,z\n', [1, '"x" y']],
    ['a mark for inches', 'q.tsv', 'a\tb\n1\t5" pipe\n2\tx\n', [1, '5" pipe']],
    ['line breaks of Windows', 'q.csv', 'a,b\r\n1,x\r\n2,"y\r\nz"\r\n', [1, 'x']],
    ['names that come twice', 'q.csv', 'a,A,b\n1,2,3\n', [1, 2, 3]],
    ['names in JSON that differ in case alone', 'q.ndjson', '{"a":1,"A":2}\n', [1, 2]]
  ] as const) {
    it(`do not keep files from being read that have ${what}`, async () => {
      await test.put(key, text)
      assert.deepEqual((await test.rows('FROM d', { d: `object://b/${key}` }))[0], expected)
    })
  }

  it('are hidden by a mask as those before', async () => {
    await test.put(
      'm.csv',
      lines('id,n\n', (row, isLate) => `${row},${isLate ? 'secret' : 5}`)
    )
    const relations = { d: 'object://b/m.csv' }
    const masks = new Map([['d', ['n']]])
    const answer = await test.plane.query({ sql: 'SELECT DISTINCT n FROM d', relations, masks })
    assert.doesNotMatch(JSON.stringify(await answer.rows()), /secret/)
  })
})
