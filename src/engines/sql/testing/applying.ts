import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RowChange, SqlApply, SqlColumn, SqlValue } from '../index.ts'
import type { Given } from './contract.ts'
import { columnsOf, freshName, readRows } from './under-test.ts'

// Names that statements have of their own, and keys that are the same number as doubles.
const columns: SqlColumn[] = [
  { name: 'n', type: 'bigint' },
  { name: 'c0', type: 'text' },
  { name: 'small', type: 'integer' },
  { name: 'large', type: 'text' }
]
const keys = ['c0', 'n']

const anyKey = fc.tuple(
  fc.constantFrom(1n, 2n, 9_007_199_254_740_992n, 9_007_199_254_740_993n),
  fc.constantFrom('x', 'X', 'x ', '', "'\\")
)
const anyChange = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('put' as const), anyKey, fc.nat(9)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('delete' as const), anyKey, fc.constant(0)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('partial' as const), anyKey, fc.nat(9)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('empty' as const), anyKey, fc.constant(0)) }
)
type Change = typeof anyChange extends fc.Arbitrary<infer T> ? T : never

/** Does the changes one by one; `large` stays as it is in what is partial, which there is of rows that are there alone. */
class Model {
  readonly rows = new Map<string, SqlValue[]>()

  take([op, [n, text], value]: Change): RowChange[] {
    const name = `${n} ${text}`
    const before = this.rows.get(name)
    switch (op) {
      case 'empty':
        this.rows.clear()
        return [{ op }]
      case 'delete':
        this.rows.delete(name)
        return [{ op, values: [n, text, null, null] }]
      case 'partial':
        if (before === undefined) return []
        this.rows.set(name, [n, text, value, before[3] ?? null])
        return [{ op: 'put', values: [n, text, value, null], unsent: [3] }]
      default: {
        const row = [n, text, value, `large ${value}`]
        this.rows.set(name, row)
        return [{ op, values: row, unsent: [] }]
      }
    }
  }
}

const sorted = (rows: Iterable<readonly SqlValue[]>) =>
  [...rows].map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))).sort()

export function applyingContract(given: Given): void {
  const database = () => given.database()
  const apply = (request: Omit<SqlApply, 'columns' | 'keys'>) => database().apply?.({ columns, keys, ...request })

  if (!given.test.hasTransactions) {
    test('changes can not be applied without transactions', () => assert.equal(database().apply, undefined))
    return
  }

  test('changes are applied in their order, in any parts, and again from any of them on', async () => {
    const parts = fc.array(fc.array(anyChange, { maxLength: 12 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(parts, fc.nat(5), async (all, again) => {
        const table = freshName()
        const model = new Model()
        const changes = all.map((part) => part.flatMap((change) => model.take(change)))
        for (const part of changes) assert.deepEqual(await apply({ table, changes: part, create: true }), { absent: 0 })
        const query = given.test.latest(table)
        assert.deepEqual(sorted(await readRows(database(), { query })), sorted(model.rows.values()))
        for (const part of changes.slice(again)) await apply({ table, changes: part })
        assert.deepEqual(sorted(await readRows(database(), { query })), sorted(model.rows.values()))
      }),
      { numRuns: 40 }
    )
  })

  test('rows that are not there and did not come whole are left out and counted', async () => {
    const table = freshName()
    const row = (n: bigint) => ({ op: 'put' as const, values: [n, 'x', 1, null], unsent: [3] })
    const whole = { op: 'put' as const, values: [1n, 'x', 0, 'large'], unsent: [] }
    await apply({ table, changes: [whole], create: true })
    assert.deepEqual(await apply({ table, changes: [row(1n), row(2n)] }), { absent: 1 })
    const only = { op: 'put' as const, values: [1n, 'x', null, null], unsent: [2, 3] }
    assert.deepEqual(await apply({ table, changes: [only, { ...only, values: [3n, 'x', null, null] }] }), { absent: 1 })
    assert.deepEqual(await readRows(database(), { table }), [[1n, 'x', 1, 'large']])
  })

  test('all changes are made or none, and a column that the table lacks is named with how to add it', async () => {
    const table = freshName()
    const values = columnsOf([[1n, 'x', 1, 'large']], 4)
    await database().write({ table, columns, values, rows: 1, keys, create: true })
    const bad = { op: 'put' as const, values: [2n, 'x', 'no number', ''], unsent: [] }
    await assert.rejects(async () => apply({ table, changes: [{ op: 'empty' }, bad] }), { isAboutRows: true })
    assert.equal((await readRows(database(), { table })).length, 1)
    const more: SqlColumn[] = [...columns, { name: 'size', type: 'double' }]
    const change = { op: 'put' as const, values: [2n, 'x', 2, '', 0.5], unsent: [] }
    const request = { table, columns: more, keys, changes: [change] }
    const refused = await Promise.resolve(database().apply?.(request)).catch((error: Error & { code: string }) => error)
    assert.ok(refused instanceof Error && refused.code === 'no_such_column', String(refused))
    assert.match(refused.message, /has no column "size": add it \(ALTER TABLE .*size.* double/i)
    await assert.rejects(async () => apply({ table, changes: [{ op: 'delete', values: [1n] }] }), {
      code: 'invalid_query'
    })
  })

  test('a column that needs a value stays as it is', async () => {
    const table = freshName()
    const needed = columns.map((column) => ({ ...column, nullable: false }))
    const values = columnsOf([[1n, 'x', 1, 'large']], 4)
    await database().write({ table, columns: needed, values, rows: 1, keys, create: true })
    await apply({ table, changes: [{ op: 'put', values: [1n, 'x', 2, null], unsent: [3] }] })
    assert.deepEqual(await readRows(database(), { table }), [[1n, 'x', 2, 'large']])
  })
}
