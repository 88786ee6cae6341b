// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sqlName } from '../../../data/relation.ts'
import { TestTable } from '../testing/table.ts'
import { Columns } from './columns.ts'
import { comparisonIn } from './comparison.ts'

const columnsOf = (...names: string[]) => new Columns(names.map((name) => ({ name, type: 'DOUBLE' })))

describe('a condition that only compares', () => {
  it('is known, with its column, sign and number', () => {
    const columns = columnsOf('Amount', 'net "price"')
    assert.deepEqual(comparisonIn(' amount >= -10.50\n', columns), { value: '"Amount"', sign: '>=', bound: -10.5 })
    assert.deepEqual(comparisonIn('"net ""price"""<3', columns), { value: '"net ""price"""', sign: '<', bound: 3 })
    const others = [
      undefined,
      '',
      'amount',
      'amount = 1',
      'amount > 1 OR true',
      'amount > 1 -- all',
      'other > 1',
      'dataset.amount > 1',
      'amount > 1e3',
      'amount > 12345678901234567890',
      "amount > '1'",
      'amount > amount'
    ]
    for (const where of others) assert.equal(comparisonIn(where, columns), undefined, String(where))
    assert.equal(comparisonIn('n > 1', new Columns([{ name: 'n', type: 'BIGINT' }])), undefined)
  })

  it('is none where SQL does not take the name for the column', async () => {
    const table = await TestTable.open()
    const words = (await table.rows('SELECT DISTINCT keyword_name FROM duckdb_keywords()')).map(([word]) =>
      String(word)
    )
    assert.ok(words.length > 100)
    await table.fill(`SELECT ${words.map((word) => `2::DOUBLE AS ${sqlName(word)}`).join(', ')}`)
    for (const word of words) {
      if (comparisonIn(`${word} > 1`, columnsOf(word)) === undefined) continue
      assert.deepEqual(await table.rows(`SELECT count(*) FROM dataset WHERE ${word} > 1`), [[1]], word)
    }
    table.close()
  })
})
