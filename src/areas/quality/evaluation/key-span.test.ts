// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TestTable } from '../testing/table.ts'
import { keySpanOf, proofOfUnique } from './key-span.ts'

const TYPES = ['TINYINT', 'UTINYINT', 'SMALLINT', 'INTEGER', 'UINTEGER', 'BIGINT']

describe('a key whose values are marked', () => {
  it('is known to be unique where no value comes twice and none lies beyond what is marked', async () => {
    const table = await TestTable.open()
    const span = fc.tuple(fc.integer({ min: -5, max: 60 }), fc.nat(60)).map(([least, size]) => [least, least + size])
    const values = fc.array(fc.option(fc.integer({ min: 0, max: 60 }), { freq: 4 }), { maxLength: 12 })
    const property = fc.asyncProperty(fc.constantFrom(...TYPES), span, values, async (type, [least, most], rows) => {
      const list = rows.map((value) => String(value ?? 'NULL')).join(', ')
      await table.fill(`SELECT unnest([${list}]::${type}[]) AS id`)
      const key = { least: least as number, most: most as number }
      const sql = proofOfUnique('dataset', { name: 'id', type }, key, '"id" IS NOT NULL')
      const ids = rows.filter((value) => value !== null)
      const isProven = new Set(ids).size === ids.length && ids.every((id) => id >= key.least && id <= key.most)
      assert.deepEqual(await table.rows(sql), [[ids.length, isProven ? 0 : null]])
    })
    await fc.assert(property, { numRuns: 60 })
    table.close()
  })

  it('has room for what comes, and takes little memory', () => {
    assert.deepEqual(keySpanOf(100_000, 1, 100_000), { least: -99_999, most: 200_000 })
    assert.equal(keySpanOf(99_999, 1, 99_999), undefined)
    assert.equal(keySpanOf(100_000, 0, 2 ** 40), undefined)
    assert.equal(keySpanOf(100_000, '9223372036854775807', '9223372036854775807'), undefined)
    const wide = keySpanOf(100_000, 0, 2 ** 27 - 11)
    assert.deepEqual(wide, { least: -5, most: 2 ** 27 - 6 })
  })
})
