import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openTestPlane, type TestPlane } from './testing/plane.ts'

describe('the first line of CSV', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane()
  })
  after(() => test.close())

  /** The names of the columns, and the rows. */
  const read = async (pattern: string) => {
    const relations = { dataset: `object://b/${pattern}` }
    const answer = await test.plane.query({ sql: 'FROM dataset', relations })
    return [answer.columns.map(({ name }) => name).join(), await answer.rows()]
  }

  for (const [what, text, columns, rows] of [
    ['where nothing follows', 'amount,shop,t\n', 'amount,shop,t', []],
    ['where nothing follows, and a name could be a value', 't,value\n', 't,value', []],
    ['where nothing follows, not even the end of the line', 'amount,shop,t', 'amount,shop,t', []],
    ['with numbers above numbers', 'region,2024,2025\nnord,1,2\n', 'region,2024,2025', [['nord', 1, 2]]],
    ['with texts above texts', 'name,city\nada,london\n', 'name,city', [['ada', 'london']]],
    ['with names that DuckDB gives', 'column0,column1\n1,2\n', 'column0,column1', [[1, 2]]],
    ['where a name is missing', 'a,,c\n1,2,3\n', 'a,column1,c', [[1, 2, 3]]]
  ] as const) {
    it(`is a header ${what}`, async () => {
      await test.put('one.csv', text)
      assert.deepEqual(await read('one.csv'), [columns, rows])
      await test.put('one.csv.gz', gzipSync(text))
      assert.deepEqual(await read('one.csv.gz'), [columns, rows])
      await test.put('one.tsv', text.replaceAll(',', '\t'))
      assert.deepEqual(await read('one.tsv'), [columns, rows])
    })
  }

  it('is a row where all of it is numbers and dates', async () => {
    await test.put('plain.csv', '1,2.5,-3e5\n4,5,6\n')
    assert.deepEqual(await read('plain.csv'), [
      'column0,column1,column2',
      [
        [1, 2.5, -300000],
        [4, 5, 6]
      ]
    ])
    await test.put('same.csv', '5,5,\n5,5,1\n')
    assert.deepEqual(await read('same.csv'), [
      'column0,column1,column2',
      [
        [5, 5, null],
        [5, 5, 1]
      ]
    ])
    await test.put('series.csv', '2024-01-01T08:00:00Z,1\n2024-01-02T08:00:00Z,2\n')
    assert.deepEqual((await read('series.csv'))[0], 'column0,column1')
    assert.deepEqual(await test.rows('SELECT count(*) FROM d', { d: 'object://b/series.csv' }), [[2]])
    await test.put('uneven.csv', '1,2,3\n4,5\n6,7,8\n')
    assert.deepEqual(await test.rows('SELECT count(*), count(column1) FROM d', { d: 'object://b/uneven.csv' }), [
      [3, 3]
    ])
  })

  it('is a header of every file of a pattern, also of those that have nothing else', async () => {
    await test.put('dir/1.csv', 'amount,shop,t\n')
    await test.put('dir/2.csv', 'amount,shop,t\n1,a,2\n')
    await test.put('dir/3.csv', 'amount,shop,t\n')
    assert.deepEqual(await read('dir/*.csv'), ['amount,shop,t', [[1, 'a', 2]]])
    assert.deepEqual(await read('dir/[13].csv'), ['amount,shop,t', []])
  })
})
