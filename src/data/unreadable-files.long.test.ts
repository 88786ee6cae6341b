import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { DataError } from './errors.ts'
import { openTestPlane, type TestPlane } from './testing/plane.ts'

/** More than DuckDB looks at to find out the types of columns. */
const ROWS = 25_000
const CANARY = 'Ostrich7Feather'
const csv = (lineOf: (row: number) => string) =>
  `id,amount,iban\n${Array.from({ length: ROWS }, (_, row) => lineOf(row)).join('\n')}\n`
const late = (odd: string, usual: (row: number) => string) => (row: number) => (row === ROWS - 10 ? odd : usual(row))
const usual = (row: number) => `${row},${row / 2},DE${row}`

const FILES: readonly [key: string, content: string | Buffer, message: RegExp, column: string | undefined][] = [
  [
    'short.csv',
    // What makes up for missing fields would take all that follows the quotation mark for one value.
    csv(late(`1,2\n1,2,"${CANARY}`, usual)),
    /^Line 24993 of short\.csv has a quotation mark that begins a value and none that ends it\.$/,
    undefined
  ],
  [
    'early.csv',
    csv((row) => (row === 100 ? '1,2' : late(`1,2,"${CANARY}`, usual)(row))),
    /^Line 24992 of early\.csv has a quotation mark that begins a value and none that ends it\.$/,
    undefined
  ],
  [
    'open.csv',
    csv(late(`1,2,"${CANARY}`, (row) => `${row},1,"DE"`)),
    /^Line \d+ of open\.csv has a quotation mark/,
    undefined
  ],
  [
    'latin.csv.gz',
    gzipSync(Buffer.from(`id,name\n1,${CANARY}\n2,J\xf6rg\n`, 'latin1')),
    /of latin\.csv\.gz is not in UTF-8\. Store/,
    undefined
  ],
  ['cut.json', `{"a": 1}\n{"a": ${CANARY}}\n`, /^Value 2 of cut\.json is no JSON, from its byte \d+ on: /, undefined],
  [
    'list.ndjson',
    `${Array.from({ length: ROWS }, (_, row) => (row === ROWS - 10 ? `["${CANARY}"]` : `{"a": ${row}}`)).join('\n')}\n`,
    /^Value 24991 of list\.ndjson is no object, as the others are\.$/,
    undefined
  ],
  [
    'text.json',
    `${Array.from({ length: ROWS }, (_, row) => `{"a": ${row === ROWS - 10 ? `"${CANARY}"` : row}}`).join('\n')}\n{"a": `,
    /^Value 24991 of text\.json is not like those at the beginning: /,
    undefined
  ]
]

describe('files that can not be read', () => {
  let plane: TestPlane
  before(async () => {
    plane = await openTestPlane()
    for (const [key, content] of FILES) await plane.put(key, content)
  })
  after(() => plane.close())

  for (const [key, , message, column] of FILES) {
    it(`are named with the line that is to blame, and no value is told: ${key}`, async () => {
      const reference = `object://b/${key}`
      await assert.rejects(plane.rows('SELECT max(COLUMNS(*)) FROM t', { t: reference }), (error) => {
        assert.ok(error instanceof DataError)
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, new RegExp(CANARY))
        assert.equal(error.column, column)
        return true
      })
    })
  }

  it('are named where they are no Parquet, among others that are', async () => {
    await plane.put('tables/1.parquet', 'PAR1 is all that it has')
    await assert.rejects(
      plane.rows('SELECT count(*) FROM t', { t: 'object://b/tables/*.parquet' }),
      /tables\/1\.parquet/
    )
  })
})
