// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { DataPlane } from '../../../data/plane.ts'
import { TestTable } from '../testing/table.ts'
import { CHANCE, compare, type Method, USUAL_DRIFT } from './compare.ts'
import { type Learned, learn } from './learn.ts'
import { shapeOf, shapeSql } from './shape.ts'

const SIGNAL = new AbortController().signal

/** Columns by the SQL of a value, of which `u` and `z` are random: even from 0 to 1, and normal. Then the same with a change. */
const COLUMNS: readonly (readonly [type: 'DOUBLE' | 'VARCHAR', usual: string, changed: string])[] = [
  ['DOUBLE', '100 + 15 * z', '110 + 15 * z'],
  ['DOUBLE', '100 + 15 * z', '100 + 30 * z'],
  ['DOUBLE', '-ln(u) * 40', '-ln(u) * 60'],
  ['DOUBLE', 'floor(u * 6)', 'floor(u * u * 6)'],
  ['DOUBLE', 'CASE WHEN u < 0.6 THEN 0 ELSE abs(z) END', 'CASE WHEN u < 0.4 THEN 0 ELSE abs(z) END'],
  ['DOUBLE', 'CASE WHEN u < 0.5 THEN 20 + z ELSE 40 + z END', 'CASE WHEN u < 0.5 THEN 25 + z ELSE 40 + z END'],
  ['DOUBLE', 'exp(2 * z)', 'CASE WHEN u < 0.15 THEN 1e6 ELSE exp(2 * z) END'],
  ['DOUBLE', '1e9 + u * 100', "CASE WHEN u < 0.15 THEN 'nan'::DOUBLE ELSE 1e9 + u * 100 END"],
  ['VARCHAR', "'c' || floor(u * 4)::INT", "'c' || floor(u * 5)::INT"],
  ['VARCHAR', "'c' || floor(u * 5)::INT", "'c' || floor(u * 4)::INT"],
  ['VARCHAR', "CASE WHEN u < 0.9 THEN 'yes' ELSE 'no' END", "CASE WHEN u < 0.65 THEN 'yes' ELSE 'no' END"],
  ['VARCHAR', "'v' || floor(40 * u * u)::INT", "'v' || floor(40 * u)::INT"]
]
const METHODS: Readonly<Record<'DOUBLE' | 'VARCHAR', readonly Method[]>> = {
  DOUBLE: ['ks', 'psi', 'chiSquare'],
  VARCHAR: ['chiSquare', 'psi']
}
const SIZES = [400, 1500, 6000, 20_000]

/** Rows that are the same for the same seed. */
function rowsSql(type: string, value: string, rows: number, seed: number): string {
  const even = (stream: number) => `((hash(i * 2654435761 + ${seed * 1009 + stream}) % 1000003) + 0.5) / 1000003`
  const random = `SELECT ${even(1)} AS u, sqrt(-2 * ln(${even(2)})) * cos(2 * pi() * ${even(3)}) AS z FROM range(${rows}) t(i)`
  return `SELECT (${value})::${type} AS x FROM (${random})`
}

describe('drift of made columns', () => {
  let table: TestTable
  before(async () => {
    table = await TestTable.open()
  })
  after(() => table.close())

  it('is found where there is some, and not where there is none', async (test) => {
    const plane = {
      query: async ({ sql }: { sql: string }) => ({ rows: () => table.rows(sql) })
    } as unknown as DataPlane
    const tallies: Record<Method, { found: number; changed: number; falsely: number; same: number }> = {
      ks: { found: 0, changed: 0, falsely: 0, same: 0 },
      psi: { found: 0, changed: 0, falsely: 0, same: 0 },
      chiSquare: { found: 0, changed: 0, falsely: 0, same: 0 }
    }
    const missed: string[] = []
    let seed = 0
    for (const [type, usual, changed] of COLUMNS) {
      for (const size of SIZES) {
        const column = { name: 'x', type }
        await table.fill(rowsSql(type, usual, size, ++seed))
        const { cells, shape } = (await learn(plane, { dataset: '', column, where: 'TRUE' }, SIGNAL)) as Learned
        for (const [isChanged, value] of [
          [true, changed],
          [false, usual],
          [false, usual]
        ] as const) {
          await table.fill(rowsSql(type, value, size, ++seed))
          const [row] = await table.rows(`SELECT ${shapeSql(column, cells, 'TRUE', true)} FROM dataset`)
          for (const method of METHODS[type]) {
            const { measured, pValue } = compare(cells, shape, shapeOf(cells, row?.[0]), method)
            const isTold = measured > USUAL_DRIFT && pValue < CHANCE
            const tally = tallies[method]
            if (isChanged) {
              tally.changed++
              if (isTold) tally.found++
              else missed.push(`${method} of ${size}: ${changed} (${measured.toFixed(3)})`)
            } else {
              tally.same++
              if (isTold) tally.falsely++
            }
          }
        }
      }
    }
    for (const [method, { found, changed, falsely, same }] of Object.entries(tallies)) {
      test.diagnostic(`${method}: ${found} of ${changed} changes found, ${falsely} false of ${same}`)
    }
    test.diagnostic(`missed: ${missed.join('; ')}`)
    const all = Object.values(tallies)
    for (const { found, changed } of all) assert.ok(found >= 0.95 * changed, missed.join('; '))
    const total = (of: 'falsely' | 'same') => all.reduce((sum, tally) => sum + tally[of], 0)
    assert.ok(total('falsely') <= 0.01 * total('same'))
  })
})
