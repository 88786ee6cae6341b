import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTableName, quoteTableName } from './names.ts'

const anyPart = fc
  .oneof(fc.string({ minLength: 1 }), fc.string({ unit: fc.constantFrom(...'".a '), minLength: 1 }))
  .filter((part) => !part.includes('\0'))

test('a name in quotes is taken apart as it was put together', () => {
  fc.assert(
    fc.property(fc.tuple(anyPart, anyPart), ([schema, table]) => {
      assert.deepEqual(parseTableName(quoteTableName(schema, table)), [schema, table])
      assert.deepEqual(parseTableName(quoteTableName(table)), [table])
    })
  )
})

test('plain names are split at the dot', () => {
  assert.deepEqual(parseTableName('orders'), ['orders'])
  assert.deepEqual(parseTableName('Sales.Orders 2'), ['Sales', 'Orders 2'])
  assert.deepEqual(parseTableName('sales."a.b"'), ['sales', 'a.b'])
})

test('what is no name is refused', () => {
  for (const text of ['', '.', 'a.', '.a', 'a.b.c', '"a', 'a"b', '"a"b', '""', 'a\0b', '\ud800']) {
    assert.throws(() => parseTableName(text), { code: 'no_such_table' }, text)
  }
})
