// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { DataPlane } from '../../../data/plane.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { literal, TestTable } from '../testing/table.ts'
import { compare } from './compare.ts'
import { type Learned, learn } from './learn.ts'
import { resolutionOf, rowsOf, shapeOf, shapeSql } from './shape.ts'

const SIGNAL = new AbortController().signal
const X = { name: 'x', type: 'DOUBLE' }
const T = { name: 't', type: 'VARCHAR' }

describe('the shape of a column', () => {
  let table: TestTable
  before(async () => {
    table = await TestTable.open()
  })
  after(() => table.close())

  const plane = {
    query: async ({ sql }: { sql: string }) => ({ rows: () => table.rows(sql) })
  } as unknown as DataPlane

  const learned = async (sql: string, column: DataColumn, where = 'TRUE'): Promise<Learned | undefined> => {
    await table.fill(sql)
    return learn(plane, { dataset: '', column, where }, SIGNAL)
  }
  const seen = async ({ cells }: Learned, sql: string, column: DataColumn) => {
    await table.fill(sql)
    const [row] = await table.rows(`SELECT ${shapeSql(column, cells, 'TRUE', true)} FROM dataset`)
    return shapeOf(cells, row?.[0])
  }
  const numbers = (values: readonly (number | null)[]) =>
    `SELECT unnest([${values.map((value) => literal(Object.is(value, -0) ? '-0.0' : value, 'DOUBLE')).join(', ')}]::DOUBLE[]) AS x`
  const texts = (values: readonly (string | null)[]) =>
    `SELECT unnest([${values.map((value) => literal(value, 'VARCHAR')).join(', ')}]::VARCHAR[]) AS t`

  it('has no cells where there is no value', async () => {
    assert.equal(await learned(numbers([]), X), undefined)
    assert.equal(await learned(numbers([null, null]), X), undefined)
    assert.equal(await learned(numbers([1, 2]), X, 'x > 2'), undefined)
    assert.equal(await learned(texts([null]), T), undefined)
  })

  it('counts a constant, what is no number and the infinities by themselves', async () => {
    const constant = (await learned(numbers([7, 7, 7, null, Number.NaN]), X)) as Learned
    assert.deepEqual([constant.shape.counts, constant.shape.notNumbers, constant.shape.nulls], [[0, 3, 0], 1, 1])
    assert.deepEqual([constant.shape.mean, resolutionOf(constant.cells, constant.shape)], [7, 0])
    const now = await seen(constant, numbers([Number.POSITIVE_INFINITY, 8, 7, 6.9999999, Number.NEGATIVE_INFINITY]), X)
    assert.deepEqual([now.counts, now.mean, now.min, now.max], [[2, 1, 2], (8 + 7 + 6.9999999) / 3, 6.9999999, 8])
  })

  it('tells rows right below a frequent value from those at it', async () => {
    const zeros = (await learned(numbers([...Array(50).fill(0), ...Array(50).fill(9)]), X)) as Learned
    const now = await seen(zeros, numbers([...Array(50).fill(-5e-324), ...Array(50).fill(9)]), X)
    assert.equal(compare(zeros.cells, zeros.shape, now, 'ks').measured, 0.5)
  })

  it('has categories by their first characters, truth values and times', async () => {
    const long = `${'x'.repeat(200)}1`
    const known = (await learned(texts(['a', '', 'a', null, "it's", long]), T)) as Learned
    assert.deepEqual(known.cells.values, ['', 'a', "it's", 'x'.repeat(200)])
    assert.deepEqual([known.shape.counts, known.shape.nulls], [[1, 2, 1, 1, 0], 1])
    const now = await seen(known, texts(['', '', 'new', 'new', 'newer', `${'x'.repeat(200)}2`]), T)
    assert.deepEqual(
      [now.counts, now.strangers],
      [
        [2, 0, 0, 1, 3],
        ['new', 'newer']
      ]
    )
    const truths = (await learned('SELECT unnest([true, false, true]) AS t', { name: 't', type: 'BOOLEAN' })) as Learned
    assert.deepEqual(
      [truths.cells.values, truths.shape.counts],
      [
        ['false', 'true'],
        [1, 2, 0]
      ]
    )
    const days = "SELECT unnest([DATE '2026-01-01', DATE '2026-01-03', DATE 'infinity', NULL]) AS x"
    const times = (await learned(days, { name: 'x', type: 'DATE' })) as Learned
    assert.deepEqual(
      [times.cells.kind, times.shape.mean, rowsOf(times.shape)],
      ['time', Date.UTC(2026, 0, 2) * 1000, 2]
    )
  })

  const number = fc.oneof(
    fc.constantFrom(0, -0, 1, -1, 1e300, -1e300, 5e-324, Number.NaN, Infinity, -Infinity),
    fc.integer({ min: -20, max: 20 }),
    fc.double()
  )
  const column = fc.array(fc.option(number, { freq: 6 }), { minLength: 1, maxLength: 60 })

  it('finds the distance that a naive comparison of all rows finds, within its resolution', async () => {
    const property = fc.asyncProperty(column, column, async (before, now) => {
      const known = await learned(numbers(before), X)
      if (known === undefined) return
      const shape = await seen(known, numbers(now), X)
      const [p, q] = [before, now].map((values) => values.filter((value) => value !== null)) as [number[], number[]]
      assert.deepEqual([rowsOf(known.shape), rowsOf(shape)], [p.length, q.length])
      if (q.length === 0) return
      const { measured } = compare(known.cells, known.shape, shape, 'ks')
      const exact = naiveDistance(p, q)
      assert.ok(measured <= exact + 1e-9, `${measured} is more than ${exact}`)
      assert.ok(exact - measured <= resolutionOf(known.cells, known.shape) + 1e-9, `${measured} is not ${exact}`)
    })
    await fc.assert(property, { numRuns: 60 })
  })

  it('counts categories as a naive count does', async () => {
    const values = fc.array(
      fc.option(fc.constantFrom('', 'a', 'A', 'é', 'e\u0301', '😀', '\uffee', "'"), { freq: 5 }),
      { maxLength: 30 }
    )
    const property = fc.asyncProperty(values, values, async (before, now) => {
      const known = await learned(texts(before), T)
      if (known === undefined) return
      const { counts, nulls } = await seen(known, texts(now), T)
      const naive = known.cells.values.map((value) => now.filter((other) => other === value).length)
      const others = now.filter((value) => value !== null && !known.cells.values.includes(value)).length
      assert.deepEqual([counts, nulls], [[...naive, others], now.filter((value) => value === null).length])
    })
    await fc.assert(property, { numRuns: 40 })
  })

  it('is exact to a hundredth for many rows', async () => {
    const known = (await learned('SELECT random() ** 3 * 1000 AS x FROM range(20000)', X)) as Learned
    assert.ok(resolutionOf(known.cells, known.shape) < 0.01)
  })
})

/** What is no number comes after all that is one. */
function naiveDistance(p: readonly number[], q: readonly number[]): number {
  const rank = (value: number) => (Number.isNaN(value) ? [1, 0] : [0, value]) as [number, number]
  const isUpTo = (value: number, bound: number) => {
    const [a, b] = [rank(value), rank(bound)]
    return a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1])
  }
  const share = (values: readonly number[], bound: number) =>
    values.filter((value) => isUpTo(value, bound)).length / values.length
  return Math.max(...[...p, ...q].map((bound) => Math.abs(share(p, bound) - share(q, bound))))
}
