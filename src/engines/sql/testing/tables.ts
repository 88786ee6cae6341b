import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quoteTableName, type SqlColumn, type SqlType } from '../index.ts'
import type { Given } from './contract.ts'
import { freshName } from './under-test.ts'

const TYPES: readonly SqlType[] = ['integer', 'bigint', 'double', 'text', 'date', 'json', 'boolean', 'blob', 'decimal']

/** What there is to read is found with the columns and keys that it has. */
export function tablesContract(given: Given): void {
  const find = async (name: string) => {
    const { tables, isWhole } = await given.database().tables({ limit: 10_000 })
    assert.ok(isWhole)
    return tables.find((table) => table.name.split('.').at(-1) === name)
  }

  test('tables are listed with their columns as they are described, and their keys in order', async () => {
    const name = freshName()
    const columns = TYPES.map((type): SqlColumn => ({ name: `of ${type}`, type, nullable: type !== 'integer' }))
    const keyed = [
      { name: 'b', type: 'integer', nullable: false },
      { name: 'a', type: 'integer', nullable: false }
    ] as const
    const all = [...keyed, ...columns]
    const keys = ['a', 'b']
    await given.database().write({ table: name, columns: all, values: all.map(() => []), rows: 0, keys, create: true })
    const found = await find(name)
    assert.ok(found?.isReadable && !found.isView)
    assert.deepEqual(found.columns, await given.database().describe(found.name))
    assert.deepEqual(found.keys, given.test.hasTransactions ? keys : [])
  })

  test('a name that is none as people write it is listed so that it can be read', async () => {
    const name = `${freshName()} odd "name"`
    const table = quoteTableName(name)
    const columns: SqlColumn[] = [{ name: 'a', type: 'integer', nullable: false }]
    await given.database().write({ table, columns, values: [[1]], rows: 1, create: true })
    const { tables } = await given.database().tables({ limit: 10_000 })
    const found = tables.find((one) => one.name.endsWith(table))
    assert.deepEqual(
      (await given.database().describe(found?.name ?? '')).map((column) => column.name),
      ['a']
    )
  })

  test('more tables than asked for are not listed, which is said', async () => {
    const { tables, isWhole } = await given.database().tables({ limit: 1 })
    assert.deepEqual([tables.length, isWhole], [1, false])
  })
}
