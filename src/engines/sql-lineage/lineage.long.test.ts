import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { fixSeed } from '../../../test/support/fixed-seed.ts'
import { tries } from '../../../test/support/thorough.ts'
import { between, type Random, seeded } from '../seeded-random.ts'
import { lineageOf, type StatementLineage } from './index.ts'
import { RANDOM_TABLES, RandomStatements } from './testing/random-statements.ts'
import { openDatabase, treeOf } from './testing/tables.ts'
import { told } from './testing/told.ts'

/** Of each table its rows. */
type Data = Record<string, (number | null)[][]>
type Value = string | null

const FAR = 1000

let database: DuckDBConnection

before(async () => {
  database = await openDatabase()
  // What the optimizer does depends on the values of all columns.
  await database.run('PRAGMA disable_optimizer')
})

after(() => database.closeSync())
fixSeed()

const anyValue = (random: Random) => (random() < 0.15 ? null : between(random, 0, 3))

function anyData(random: Random): Data {
  const rows = (columns: readonly string[]) =>
    Array.from({ length: between(random, 2, 6) }, () => columns.map(() => anyValue(random)))
  return Object.fromEntries(Object.entries(RANDOM_TABLES).map(([name, columns]) => [name, rows(columns)]))
}

async function fill(data: Data, tables: readonly string[] = Object.keys(data)): Promise<void> {
  for (const table of tables) {
    const columns = RANDOM_TABLES[table] as readonly string[]
    await database.run(`CREATE OR REPLACE TABLE ${table} (${columns.map((name) => `${name} INTEGER`).join(', ')})`)
    const values = (data[table] ?? []).map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`)
    await database.run(`INSERT INTO ${table} VALUES ${values.join(', ')}`)
  }
}

async function rowsOf(sql: string): Promise<Value[][]> {
  const reader = await database.runAndReadAll(sql)
  return reader.getRows().map((row) => row.map((value) => (value === null ? null : String(value))))
}

/** With other values in one column: other small ones, or the same ones far away. */
function changed(data: Data, table: string, place: number, change: (value: number | null) => number | null): Data {
  const rows = (data[table] ?? []).map((row) => row.map((value, at) => (at === place ? change(value) : value)))
  return { ...data, [table]: rows }
}

const bag = (rows: readonly Value[][], places: readonly number[]): string =>
  rows
    .map((row) => JSON.stringify(places.map((place) => row[place])))
    .sort()
    .join('\n')

/** What a change of a column may not change: all that does not come from it, and how many rows there are. */
function untouched({ outputs, rows }: StatementLineage, table: string, column: string): number[] | undefined {
  const isIt = (source: { table: string; column: string }) => source.table === table && source.column === column
  if (rows.some(isIt)) return undefined
  return [...outputs.keys()].filter((place) => !outputs[place]?.from.some(isIt))
}

/** Outputs that are nothing but values of this column. */
const copies = ({ outputs }: StatementLineage, table: string, column: string): number[] =>
  [...outputs.keys()].filter((place) => {
    const from = outputs[place]?.from ?? []
    return from.length === 1 && from[0]?.kind === 'identity' && from[0].table === table && from[0].column === column
  })

test('a change of a column changes what comes from it, and nothing else', async () => {
  const counts = { statements: 0, invalid: 0, untouched: 0, changed: 0, copied: 0 }
  await fc.assert(
    fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
      const random = seeded(seed)
      const sql = new RandomStatements(random).statement()
      const data = anyData(random)
      await fill(data)
      const before = await rowsOf(sql).catch(() => undefined)
      counts.statements++
      if (before === undefined) {
        counts.invalid++
        return
      }
      const lineage = lineageOf(await treeOf(database, sql), RANDOM_TABLES)
      assert.deepEqual(lineage.notUnderstood, [], sql)
      for (const [table, columns] of Object.entries(RANDOM_TABLES)) {
        for (const [place, column] of columns.entries()) {
          const changes = [() => anyValue(random), (value: number | null) => (value === null ? null : value + FAR)]
          for (const [which, change] of changes.entries()) {
            await fill(changed(data, table, place, change), [table])
            const later = await rowsOf(sql)
            const message = `${table}.${column} changed\n${sql}\n${JSON.stringify(data)}\n${told(lineage)}`
            const same = untouched(lineage, table, column)
            if (same !== undefined) assert.equal(bag(later, same), bag(before, same), message)
            counts.untouched += same?.length ?? 0
            if (bag(later, [...lineage.outputs.keys()]) !== bag(before, [...lineage.outputs.keys()])) counts.changed++
            // A number of rows comes from no column, so a UNION with one has other values too.
            if (which === 0 || sql.includes('count(*)')) continue
            for (const copy of copies(lineage, table, column)) {
              const isFar = later.every((row) => row[copy] === null || Number(row[copy]) >= FAR)
              assert.ok(isFar, `output ${copy} is not what ${message}`)
              counts.copied += later.some((row) => row[copy] !== null) ? 1 : 0
            }
          }
          await fill(data, [table])
        }
      }
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? tries(200, 400)) }
  )
  // Statements that are not valid prove nothing, nor do those that nothing changes.
  assert.ok(counts.invalid < counts.statements / 4, JSON.stringify(counts))
  assert.ok(counts.changed > counts.statements && counts.copied > counts.statements / 6, JSON.stringify(counts))
})
