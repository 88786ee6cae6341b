import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { openWorkshop, type Workshop } from '../testing/workshop.ts'
import { StateTable, tableName } from './state-table.ts'

let workshop: Workshop
let database: DuckDBConnection
before(async () => {
  workshop = await openWorkshop()
  database = await workshop.instance.connect()
  await database.run("ATTACH ':memory:' AS s")
})
after(async () => {
  database.closeSync()
  await workshop.close()
})

let made = 0
function newTable(): StateTable {
  made += 1
  return new StateTable(tableName('s', `t${made}`), database, { gateway: workshop.gateway, folder: workshop.folder })
}

const n = [{ name: 'n', type: 'BIGINT' }]

async function rowsOf(table: StateTable): Promise<number[]> {
  if (table.rows === 0) return []
  const reader = await database.runAndReadAll(`SELECT n FROM ${table.name} ORDER BY n`)
  return reader.getRows().map(([value]) => Number(value))
}

test('what was saved is there again, however rows came and went in between', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('insert' as const), count: fc.integer({ min: 0, max: 400 }) }),
    fc.record({ do: fc.constant('expire' as const), by: fc.integer({ min: 0, max: 500 }) }),
    fc.constant({ do: 'save' as const }),
    fc.constant({ do: 'clear' as const }),
    fc.constant({ do: 'crash' as const })
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      let table = newTable()
      let rows: number[] = []
      let saved:
        | { table: Awaited<ReturnType<StateTable['save']>>; rows: number[]; next: number; gone: number }
        | undefined
      let next = 0
      let gone = 0
      for (const one of steps) {
        if (one.do === 'insert') {
          next = Math.max(next, gone) // what would have expired already is not held by any node
          await table.insert(`SELECT range AS n FROM range(${next}, ${next + one.count})`, n)
          rows = [...rows, ...Array.from({ length: one.count }, (_, i) => next + i)]
          next += one.count
        } else if (one.do === 'expire') {
          gone += one.by
          assert.equal(await table.expire(`n < ${gone}`), rows.filter((row) => row < gone).length)
          rows = rows.filter((row) => row >= gone)
        } else if (one.do === 'clear') {
          await table.clear()
          rows = []
        } else if (one.do === 'save') saved = { table: await table.save(), rows, next, gone }
        else {
          table = newTable()
          if (saved !== undefined) await table.restore(saved.table)
          ;({ rows, next, gone } = saved ?? { rows: [], next: 0, gone: 0 })
        }
        assert.equal(table.rows, rows.length)
        assert.deepEqual(await rowsOf(table), rows)
      }
    }),
    { numRuns: 25 }
  )
})

test('a column gets the type that takes all that comes', async () => {
  const table = newTable()
  await table.insert('SELECT 1::BIGINT AS a, NULL AS b', [
    { name: 'a', type: 'BIGINT' },
    { name: 'b', type: '"NULL"' }
  ])
  await table.insert('SELECT 2.5::DOUBLE AS a, true AS b', [
    { name: 'a', type: 'DOUBLE' },
    { name: 'b', type: 'BOOLEAN' }
  ])
  await table.insert("SELECT 'x' AS A", [{ name: 'A', type: 'VARCHAR' }])
  const saved = await table.save()
  const again = new StateTable(tableName('s', 'again'), database, {
    gateway: workshop.gateway,
    folder: join(workshop.folder)
  })
  await again.restore(saved)
  const reader = await database.runAndReadAll(`SELECT a, b FROM ${again.name} ORDER BY a`)
  assert.deepEqual(reader.getRows(), [
    ['1.0', null],
    ['2.5', true],
    ['x', null]
  ])
})

test('records that have no columns count all the same', async () => {
  const table = newTable()
  assert.equal(await table.insert('SELECT NULL AS nothing FROM range(3)', [{ name: 'nothing', type: '"NULL"' }]), 3)
  assert.equal(table.rows, 3)
})
