import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import { lineageOf } from './index.ts'
import { statementsIn } from './testing/statements.ts'
import { createTables, KNOWN, openDatabase, treeOf } from './testing/tables.ts'
import { told } from './testing/told.ts'

let database: DuckDBConnection

before(async () => {
  database = await openDatabase()
  await createTables(database)
})

after(() => database.closeSync())

const statements = statementsIn('statements.txt')

test('every statement of the list has the lineage that stands there', async () => {
  assert.ok(statements.length >= 240, `${statements.length} statements`)
  const wrong: string[] = []
  for (const { sql, expected } of statements) {
    const found = told(lineageOf(await treeOf(database, sql), KNOWN))
    if (found !== expected) wrong.push(`${sql}\n  expected ${expected}\n  found    ${found}`)
  }
  assert.equal(wrong.join('\n'), '')
})

test('columns have the names that DuckDB gives them', async () => {
  let compared = 0
  for (const { sql, expected } of statements) {
    if (expected.endsWith('!')) continue
    const { outputs } = lineageOf(await treeOf(database, sql), KNOWN)
    const names = outputs.map(({ name }) => name)
    const result = await database.runAndReadAll(sql).catch(() => undefined)
    if (result === undefined) {
      assert.match(sql, /other|file|odd/, `${sql} is no statement that DuckDB runs`)
      continue
    }
    const real = result.columnNames()
    assert.deepEqual(
      names.map((name, place) => (name === `#${place + 1}` ? real[place] : name)),
      real,
      sql
    )
    compared++
  }
  assert.ok(compared > 210, `${compared} statements compared`)
})
