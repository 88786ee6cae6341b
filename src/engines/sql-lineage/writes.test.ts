import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { lineageOfSql, type StatementLineage } from './index.ts'
import { statementsIn } from './testing/statements.ts'
import { createTables, KNOWN, openDatabase, treeOf } from './testing/tables.ts'
import { told } from './testing/told.ts'

let database: DuckDBConnection

before(async () => {
  database = await openDatabase()
  await createTables(database)
})

after(() => database.closeSync())

const statements = statementsIn('writes.txt')
const lineage = (sql: string): Promise<StatementLineage> =>
  lineageOfSql(sql, KNOWN, (all) => Promise.all(all.map((one) => treeOf(database, one))))

test('every statement that writes has the lineage that stands in the list', async () => {
  assert.ok(statements.length >= 65, `${statements.length} statements`)
  const wrong: string[] = []
  for (const { sql, expected } of statements) {
    const found = told(await lineage(sql))
    if (found !== expected) wrong.push(`${sql}\n  expected ${expected}\n  found    ${found}`)
    const isValid = await database.prepare(sql).then(Boolean, () => false)
    assert.ok(isValid || expected.endsWith('!') || sql.includes('other'), `${sql} is no statement that DuckDB runs`)
  }
  assert.equal(wrong.join('\n'), '')
})

test('queries are told as they are without a head', async () => {
  for (const { sql, expected } of statementsIn('statements.txt')) {
    if (!expected.endsWith('!')) assert.equal(told(await lineage(sql)), expected, sql)
  }
})

test('a table that is written is read only where its columns are used', async () => {
  const reads = async (sql: string) => (await lineage(sql)).reads
  assert.deepEqual(await reads('UPDATE t SET a = 1'), [])
  assert.deepEqual(await reads('UPDATE t SET a = b'), ['t'])
  assert.deepEqual(await reads('DELETE FROM t USING u WHERE u.k > 1'), ['u'])
  assert.deepEqual(await reads('DELETE FROM other WHERE x > 1'), ['other'])
  assert.deepEqual(await reads('INSERT INTO t (a) SELECT a FROM t'), ['t'])
  assert.deepEqual(await reads('INSERT INTO t (a) SELECT 1 FROM u'), ['u'])
})

test('texts that are cut off or shuffled throw nothing', async () => {
  const words = statements.flatMap(({ sql }) => sql.split(' '))
  const parts = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom('(', ')', "'", '"', '/*', '*/', '--', '$$', ';', '\n')
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(parts, { maxLength: 30 }),
      fc.constantFrom(...statements),
      fc.nat(200),
      async (rest, { sql }, at) => {
        assert.ok(await lineage(`${sql.slice(0, at)} ${rest.join(' ')}`))
        assert.ok(await lineage(rest.join(' ')))
      }
    ),
    { numRuns: 150 }
  )
})

test('long statements take no long time to read', async () => {
  const started = process.cpuUsage()
  for (const piece of ["'", '(', '/* ', 'a, ', '$a$ ', '"" ', '-- \n', 'CASE ', "e'\\' "]) {
    await lineage(`INSERT INTO u (id) SELECT ${piece.repeat(30_000)}`)
  }
  const { user } = process.cpuUsage(started)
  assert.ok(user < 4_000_000, `${user / 1000} ms`)
})
