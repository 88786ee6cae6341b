import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SqlColumn, SqlValue } from '../index.ts'
import type { Given } from './contract.ts'
import { columnsOf, freshName, readRows } from './under-test.ts'

const columns: SqlColumn[] = [
  { name: 'a', type: 'integer' },
  { name: 'b', type: 'text' },
  { name: 'value', type: 'integer' }
]

/** Texts that some collations take for equal. */
const anyKey = fc.tuple(fc.nat(3), fc.constantFrom('x', 'X', 'x ', 'ẋ', 'y', ''))

export function upsertContract(given: Given): void {
  test('with keys a row is replaced, and of several in one call the last is kept', async () => {
    const call = fc.array(fc.tuple(anyKey, fc.integer()), { maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 4 }), async (calls) => {
        const table = freshName()
        const model = new Map<string, SqlValue[]>()
        for (const rows of calls) {
          const flat = rows.map(([[a, b], value]): SqlValue[] => [a, b, value])
          for (const row of flat) model.set(`${row[0]} ${row[1]}`, row)
          const values = columnsOf(flat, 3)
          const request = { table, columns, values, rows: flat.length, keys: ['b', 'a'], create: true }
          assert.equal(await given.database().write(request), flat.length)
        }
        const found = await readRows(given.database(), { query: given.test.latest(table) })
        const sorted = (rows: Iterable<SqlValue[]>) => [...rows].map((row) => JSON.stringify(row)).sort()
        assert.deepEqual(sorted(found), sorted(model.values()))
      }),
      { numRuns: 15 }
    )
  })

  test('with all columns as keys, what is there stays', async () => {
    const table = freshName()
    const two = columns.slice(0, 2)
    const request = {
      table,
      columns: two,
      values: [
        [1, 1],
        ['x', 'x']
      ],
      rows: 2,
      keys: ['a', 'b'],
      create: true
    }
    await given.database().write(request)
    await given.database().write(request)
    assert.deepEqual(await readRows(given.database(), { query: given.test.latest(table) }), [[1, 'x']])
  })

  test('keys that the table knows nothing of are refused', async () => {
    const table = freshName()
    const request = { table, columns, values: [[1], ['x'], [2]], rows: 1, create: true }
    await given.database().write(request)
    await assert.rejects(given.database().write({ ...request, keys: ['a'] }), { code: 'invalid_query' })
    assert.equal((await readRows(given.database(), { table })).length, 1)
  })

  if (!given.test.hasTransactions) return
  test('many rows are written or none', async () => {
    const table = freshName()
    const rows = 21_000
    const values: SqlValue[][] = [Array.from({ length: rows }, (_, i) => i), Array.from({ length: rows }, () => 'x')]
    const request = { table, columns: columns.slice(0, 2), values, rows, keys: ['a'], create: true }
    values[0]?.splice(rows - 1, 1, 'not a number')
    await assert.rejects(given.database().write(request), { code: 'bad_value', isAboutRows: true, isTransient: false })
    values[0]?.splice(rows - 1, 1, 7)
    assert.equal(await given.database().write(request), rows)
    assert.equal((await readRows(given.database(), { table })).length, rows - 1)
    const again = { table, columns: columns.slice(0, 2), values: [[0], ['y']], rows: 1 }
    await assert.rejects(given.database().write(again), { code: 'conflict', isAboutRows: true })
  })
}
