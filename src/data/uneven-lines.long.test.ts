import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPlane, type TestPlane } from './testing/plane.ts'

const file = (odd: string, usual = (row: number) => `${row},DE${row},${row / 2}`) =>
  `id,iban,amount\n${Array.from({ length: 2000 }, (_, row) => (row === 1900 ? odd : usual(row))).join('\n')}\n`

describe('CSV whose lines have different numbers of fields', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane()
  })
  after(() => test.close())

  for (const [what, odd] of [
    ['too few', '1900,DE1900'],
    ['too many', '1900,DE1900,950,more'],
    ['too few, and a line break in a text', '1900,"DE\n1900"']
  ] as const) {
    it(`has its columns where a line has ${what}`, async () => {
      await test.put('uneven.csv', file(odd))
      const relations = { dataset: 'object://b/uneven.csv' }
      const rows = await test.rows('SELECT count(*), count(iban), max(id) FROM dataset', relations)
      assert.deepEqual(rows, [[2000, 2000, 1999]])
      const masks = new Map([['dataset', ['iban']]])
      const masked = await test.plane.query({ sql: 'SELECT * FROM dataset', relations, masks })
      assert.doesNotMatch(JSON.stringify(await masked.rows()), /DE/)
    })
  }

  it('loses and tells nothing where one file among others has such a line', async () => {
    await test.put('many/even.csv', 'id,iban,amount\n5000,DE5000,2.5\n')
    await test.put('many/headed.csv', 'id,iban,amount\n')
    for (const odd of ['1900,DE1900', '1900,DE1900,950,more']) {
      await test.put('many/uneven.csv', file(odd))
      const relations = { dataset: 'object://b/many/*.csv' }
      const sql = 'SELECT count(*), count(iban), max(id), typeof(max(amount)) FROM dataset'
      assert.deepEqual(await test.rows(sql, relations), [[2001, 2001, 5000, 'DOUBLE']])
      const masks = new Map([['dataset', ['iban']]])
      const masked = await test.plane.query({ sql: 'SELECT * FROM dataset', relations, masks })
      assert.doesNotMatch(JSON.stringify(await masked.rows()), /DE/)
    }
  })

  const LATE = 30_000
  const lateFile = (odd: string, delimiter = ',') =>
    `id,iban,amount\n${Array.from({ length: LATE }, (_, row) => (row === 25_000 ? odd : `${row},DE${row},${row / 2}`)).join('\n')}\n`.replaceAll(
      ',',
      delimiter
    )
  const [WHOLE, HALF] = [[LATE, LATE, LATE - 1], 'DOUBLE']
  for (const [what, odd, expected] of [
    ['too few', '25000,DE1', [...WHOLE, LATE - 1, HALF]],
    ['too few, and a line break in a text', '25000,"DE\n1"', [...WHOLE, LATE - 1, HALF]],
    ['too many', '25000,DE1,950,more', [...WHOLE, LATE, HALF]],
    ['far too many', '25000,DE1,950,more,and,more', [...WHOLE, LATE, HALF]],
    ['one in the middle that others have not', '25000,DE1,an address,950', [...WHOLE, LATE, 'VARCHAR']],
    ['a quotation mark in the middle of a text', '25000,D"E1,950', [...WHOLE, LATE, HALF]]
  ] as const) {
    it(`is read as a whole where a late line has ${what}`, async () => {
      for (const [key, delimiter] of [
        ['late.csv', ','],
        ['late.tsv', '\t'],
        ['semicolons.csv', ';']
      ] as const) {
        await test.put(key, lateFile(odd, delimiter))
        const relations = { dataset: `object://b/${key}` }
        const sql = 'SELECT count(*), count(iban), max(id), count(amount), any_value(typeof(amount)) FROM dataset'
        assert.deepEqual(await test.rows(sql, relations), [expected], key)
        const masks = new Map([['dataset', ['iban']]])
        const masked = await test.plane.query({ sql: 'SELECT * FROM dataset OFFSET 24990 LIMIT 20', relations, masks })
        assert.doesNotMatch(JSON.stringify(await masked.rows()), /DE/)
      }
    })
  }

  it('has columns for all that a line has too many, by their places', async () => {
    await test.put('wide.csv', `${lateFile('25000,DE1,950,more,and more')}1,2,3,4,5,6,7\n`.replace('iban', 'column4'))
    const sql =
      'SELECT column3, column4_1, column6, column4 FROM dataset WHERE column3 IS NOT NULL ORDER BY 3 NULLS FIRST'
    const rows = await test.rows(sql, { dataset: 'object://b/wide.csv' })
    assert.deepEqual(rows, [
      ['more', 'and more', null, 'DE1'],
      ['4', '5', '7', '2']
    ])
  })

  it('still passes over what stands before its header', async () => {
    await test.put('titled.csv', `Report of the plant\n\n${lateFile('25000,DE1')}`)
    const sql = 'SELECT count(*), count(amount), typeof(max(id)) FROM dataset'
    const rows = await test.rows(sql, { dataset: 'object://b/titled.csv' })
    assert.deepEqual(rows, [[LATE, LATE - 1, 'BIGINT']])
  })

  it('loses no row where its last line has too many', async () => {
    const relations = { dataset: 'object://b/last.csv' }
    for (const rows of [2, 1000]) {
      const lines = Array.from({ length: rows }, (_, row) => `${row},DE${row},${row / 2}`)
      await test.put('last.csv', `id,iban,amount\n${lines.join('\n')}\n${rows},DE${rows},0,more\n`)
      const found = await test.rows('SELECT count(*), count(iban), max(id), max(column3) FROM dataset', relations)
      assert.deepEqual(found, [[rows + 1, rows + 1, rows, 'more']])
      const masks = new Map([['dataset', ['iban']]])
      const masked = await test.plane.query({ sql: 'SELECT * FROM dataset', relations, masks })
      assert.doesNotMatch(JSON.stringify(await masked.rows()), /DE/)
    }
  })

  it('begins after what stands before its header', async () => {
    await test.put('report.csv', 'Report of sales\n\nid,amount\n1,2\n3,4\n')
    assert.deepEqual(await test.rows('SELECT sum(amount) FROM dataset', { dataset: 'object://b/report.csv' }), [[6]])
  })

  it('is not confused with one column that has such a name', async () => {
    await test.put('one.csv', '"a,b"\n1\n2\n')
    assert.deepEqual(await test.rows('SELECT "a,b" FROM dataset', { dataset: 'object://b/one.csv' }), [[1], [2]])
  })
})
