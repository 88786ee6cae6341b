import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quoteTableName, type SqlColumn } from '../index.ts'
import type { Given } from './contract.ts'
import { freshName, readRows } from './under-test.ts'

/** Names that all three databases accept: no spaces at the end, nothing beyond the basic plane, 63 bytes. */
const anyName = fc
  .string({ unit: fc.constantFrom(...`'"\\\`\n\t;-/*.%{}()[]$:?@ aZü漢1`), minLength: 1, maxLength: 15 })
  .map((name) => `${name}_`)

export function namesContract(given: Given): void {
  test('names are taken as they are, whatever is in them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyName, { minLength: 2, maxLength: 4, selector: (n) => n.toLowerCase() }),
        async (names) => {
          const database = given.database()
          // For some servers a table is a file, so its name can't be as wild.
          const table = quoteTableName(`${freshName()} "'\`\\ ;-- ${given.test.latest('').length}`)
          const columns = names.map((name): SqlColumn => ({ name, type: 'integer', nullable: false }))
          const keys = names.slice(0, 1)
          const values = names.map((_, i) => [i, i + 10])
          await database.write({ table, columns, values, rows: 2, keys, create: true })
          assert.deepEqual(
            (await database.describe(table)).map(({ name }) => name),
            names
          )
          const cursor = { column: names[0] as string, after: '0' }
          assert.deepEqual(await readRows(database, { table, cursor, limit: 5 }), [names.map((_, i) => i + 10)])
        }
      ),
      { numRuns: 15 }
    )
  })

  test('a value that looks like SQL is a value, and so is the place to go on from', async () => {
    const table = freshName()
    const hostile = [
      `'; DROP TABLE ${table}; --`,
      `" OR 1=1 --`,
      `\\'; SELECT 1; --`,
      `\`${table}\``,
      `$1`,
      `?`,
      `\\N`,
      `\\x41`
    ]
    const columns: SqlColumn[] = [{ name: 'a', type: 'text' }]
    const database = given.database()
    await database.write({ table, columns, values: [hostile], rows: hostile.length, create: true })
    const found = (await readRows(database, { table })).map(([text]) => text as string)
    assert.deepEqual(found.sort(), hostile.toSorted())
    for (const after of hostile) {
      const rest = await readRows(database, { table, cursor: { column: 'a', after } })
      assert.ok(!rest.flat().includes(after))
    }
  })
}
