// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { DataQuery } from '../../../data/plane.ts'
import { TestTable } from '../testing/table.ts'
import { wrongOf } from './compile.ts'
import { samplesOf } from './sample.ts'

const COLUMNS = [
  { name: 'id', type: 'BIGINT' },
  { name: 'x', type: 'DOUBLE' }
]
const MOST = 20

describe('samples of rows that are wrong', () => {
  let table: TestTable
  const asked: string[] = []
  before(async () => {
    table = await TestTable.open()
  })
  after(() => table.close())

  const plane = {
    query: async ({ sql }: DataQuery) => {
      asked.push(sql)
      const rows = await table.rows(sql)
      return { columns: COLUMNS, rows: async () => rows }
    }
  }

  /** The ids that are shown for rules that allow x up to some maximum. */
  async function sampled(maxima: readonly number[], checked: number, countOf: (max: number) => number) {
    asked.length = 0
    const wanted = maxima.map((max) => {
      const compiled = table.compile({ type: 'range', config: { column: 'x', max } })
      const query = { sql: compiled.failing ?? '', relations: {} }
      return { query, wrong: wrongOf(compiled), count: countOf(max), checked }
    })
    const found = await samplesOf({ plane }, COLUMNS, undefined, wanted, new AbortController().signal)
    return found.map((rows) => rows.map(({ id }) => id))
  }

  it('are the first ones, of each rule', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 5 }),
      async (values, maxima) => {
        const rows = values.map((x, id) => `(${id}, ${x}::DOUBLE)`)
        await table.fill(`SELECT * FROM (VALUES ${rows.join(', ')}) AS t(id, x)`)
        const wrongFor = (max: number) => values.flatMap((x, id) => (x > max ? [id] : []))
        const failing = maxima.filter((max) => wrongFor(max).length > 0)
        assert.deepEqual(
          await sampled(failing, values.length, (max) => wrongFor(max).length),
          failing.map((max) => wrongFor(max).slice(0, MOST))
        )
      }
    )
    await fc.assert(property, { numRuns: 40 })
  })

  it('are found in one scan where the beginning has them, and looked for behind it where not', async () => {
    const rows = 300_000
    await table.fill(`SELECT range AS id, (CASE WHEN range > ${rows - 4} THEN 2000 ELSE range % 1000 END)::DOUBLE AS x
      FROM range(${rows})`)
    const countOf = (max: number) => (max > 1000 ? 3 : ((999 - max) * rows) / 1000)
    assert.deepEqual(
      (await sampled([499, 989], rows, countOf)).map(([first]) => first),
      [500, 990]
    )
    assert.equal(asked.length, 1)
    const late = await sampled([499, 1500], rows, countOf)
    assert.deepEqual(late[1], [rows - 3, rows - 2, rows - 1])
    assert.equal(asked.length, 2)
  })
})
