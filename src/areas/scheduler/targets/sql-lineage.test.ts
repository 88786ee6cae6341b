import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import type { LineageQuestion } from '../../../data/plane.ts'
import { DialectThread } from '../../../engines/sql-lineage/index.ts'
import { targetRun } from '../testing/target-run.ts'
import { StatementWays } from './sql-lineage.ts'

/** Statements are read by a thread rather than a process: these mean the same in other dialects. */
class Statements {
  readonly #thread = new DialectThread()
  columns: readonly string[] = ['a', 'b']
  fails: DataErrorCode | undefined
  read = 0
  described: string[] = []

  async lineage({ sql, known }: LineageQuestion) {
    this.read += 1
    if (this.fails !== undefined) throw new DataError(this.fails, 'Too many wait.')
    return this.#thread.lineageOf({ dialect: 'postgres', sql, known })
  }

  async describe(reference: string) {
    this.described.push(reference)
    return this.columns.map((name) => ({ name, type: 'VARCHAR' }))
  }
}

describe('what the SQL of schedules tells', () => {
  let plane: Statements
  let ways: StatementWays
  beforeEach(() => {
    plane = new Statements()
    ways = new StatementWays(plane)
  })

  const relations = { s: 'object://sales/*.csv', other: 'series://src_1' }
  async function told(sql: string, columns: readonly string[], more: object = {}) {
    const into = { bucket: 'reports', key: '{date}/{time}-{dueAt}.csv', format: 'csv' }
    const run = targetRun({ config: { sql, relations, into, ...more } })
    const named = columns.map((name) => ({ name, type: 'VARCHAR' }))
    const { inputs, outputs, columns: mappings, isWhole } = await (await ways.begin(run))(named)
    return {
      data: [...inputs, ...outputs].map(({ reference }) => reference),
      columns: mappings.map(({ from, to, kind }) => `${from.column ?? '*'} → ${to.column ?? '*'} ${kind}`),
      isWhole,
      lines: run.lines
    }
  }

  it('is read once, and again when it is another or has other columns', async () => {
    const first = await told('SELECT a FROM s', ['a'])
    assert.deepEqual(first.data, ['object://sales/*.csv', 'series://src_1', 'object://reports/*/*-*.csv'])
    assert.deepEqual([first.columns, first.isWhole], [['a → a identity'], true])
    assert.deepEqual(await told('SELECT a FROM s', ['a']), first)
    assert.equal(plane.read, 1)
    await told('SELECT b FROM s', ['b'])
    assert.deepEqual([plane.read, plane.described], [2, []])
    assert.deepEqual((await told('SELECT * FROM S', ['a', 'b'])).columns, ['a → a identity', 'b → b identity'])
    assert.deepEqual([plane.read, plane.described], [4, ['object://sales/*.csv']])
    plane.columns = ['a', 'c']
    assert.deepEqual((await told('SELECT * FROM S', ['a', 'c'])).columns, ['a → a identity', 'c → c identity'])
  })

  it('has the names that the result has', async () => {
    assert.deepEqual((await told('SELECT max(a), b AS "B" FROM s', ['max(a)', 'B'])).columns, [
      'a → max(a) computed',
      'b → B identity'
    ])
  })

  it('may come from everything where it is not understood', async () => {
    const all = ['* → n computed', '* → n computed', '* → * filtered', '* → * filtered']
    assert.deepEqual((await told('CALL something()', ['n'])).columns, all)
    plane.fails = 'out_of_memory'
    const broken = await told('SELECT 1', ['n'])
    assert.deepEqual([broken.columns, broken.isWhole], [all, true])
    await told('SELECT 1', ['n'])
    assert.equal(plane.read, 2)
  })

  it('is not known, and ends nothing, where it was not read', async () => {
    plane.fails = 'busy'
    const { data, columns, isWhole, lines } = await told('SELECT a FROM s', ['a'])
    assert.deepEqual([data.length, columns, isWhole], [3, [], false])
    assert.match(lines.join(), /not known this time: Too many wait/)
    plane.fails = undefined
    assert.equal((await told('SELECT a FROM s', ['a'])).isWhole, true)
  })

  it('is told of the data alone where there is too much of it', async () => {
    const columns = Array.from({ length: 6000 }, (_, n) => `c${n}`)
    const { columns: mappings } = await told('CALL something()', columns)
    assert.deepEqual(mappings, ['* → * computed', '* → * computed'])
    const long = await told('CALL something()', ['x'.repeat(2000)])
    assert.deepEqual(long.columns, ['* → * filtered', '* → * filtered'])
  })
})
