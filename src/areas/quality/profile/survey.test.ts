import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import type { DataPlane } from '../../../data/plane.ts'
import { Survey } from './survey.ts'

const ROWS = 5

/** A plane that counts the columns of each statement, and fails as a test says. */
class Counting {
  readonly asked: number[] = []
  readonly #failureOf: (columns: readonly string[]) => DataErrorCode | undefined

  constructor(failureOf: (columns: readonly string[]) => DataErrorCode | undefined) {
    this.#failureOf = failureOf
  }

  async query({ sql }: { sql: string }) {
    const columns = [...sql.matchAll(/"(\w+)" AS r\d+/g)].map(([, name]) => name as string)
    this.asked.push(columns.length)
    const code = this.#failureOf(columns)
    if (code !== undefined) throw new DataError(code, 'It said secret.')
    return { columns: [{ name: 'total', type: 'BIGINT' }], rows: async () => [[ROWS]] }
  }
}

const columnsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `c${at}`, type: 'BIGINT' }))

function survey(
  plane: Counting,
  {
    where,
    isSecret = false,
    clock = new ManualClock()
  }: { where?: string; isSecret?: boolean; clock?: ManualClock } = {}
): Survey {
  const needs = { plane: plane as unknown as Pick<DataPlane, 'query'>, clock }
  return new Survey(
    needs,
    { dataset: 'object://b/x.csv', ...(where !== undefined && { where }) },
    isSecret ? 'all' : undefined,
    new AbortController().signal
  )
}

describe('a survey of columns', () => {
  it('asks of ten and then of a hundred at once, and of fewer from then on where that takes too long', async () => {
    const plane = new Counting((columns) => (columns.length > 30 ? 'timeout' : undefined))
    const { rows, columns } = await survey(plane).run(columnsOf(120))
    assert.deepEqual(plane.asked, [10, 100, 50, 25, 25, 25, 25, 10])
    assert.equal(rows, ROWS)
    assert.deepEqual(
      columns.map(({ name, problem }) => [name, problem]),
      columnsOf(120).map(({ name }) => [name, null])
    )
  })

  it('asks of as many as are likely to be answered in time', async () => {
    const clock = new ManualClock()
    const slow = new Counting((columns) => {
      clock.advance(columns.length * 400)
      return undefined
    })
    await survey(slow, { clock }).run(columnsOf(120))
    assert.deepEqual(slow.asked, [10, 49, 49, 12])
  })

  it('finds the column that is to blame, which spoils none of the others', async () => {
    const plane = new Counting((columns) => (columns.includes('c5') ? 'sql_error' : undefined))
    const { columns } = await survey(plane).run(columnsOf(8))
    assert.deepEqual(
      columns.filter(({ problem }) => problem !== null).map(({ name, count, problem }) => [name, count, problem]),
      [['c5', null, { code: 'sql_error', message: 'It said secret.' }]]
    )
    const hidden = await survey(plane, { isSecret: true }).run(columnsOf(8))
    assert.match(hidden.columns[5]?.problem?.message ?? '', /not shown, because the data are confidential/)
  })

  it('says what to do where it takes too long', async () => {
    const never = new Counting(() => 'timeout')
    const advice = /Name fewer `columns`, or look at a `sample` of the rows\./
    await assert.rejects(survey(never).run(columnsOf(4)), { code: 'timeout', message: advice })
    const clock = new ManualClock()
    const slow = new Counting(() => {
      clock.advance(121_000)
      return undefined
    })
    const { columns } = await survey(slow, { clock }).run(columnsOf(150))
    assert.deepEqual([slow.asked, columns[9]?.problem, columns[10]?.problem?.code], [[10], null, 'timeout'])
    assert.match(columns[149]?.problem?.message ?? '', advice)
  })

  it('blames no column for a condition that fails, nor for data that can’t be read', async () => {
    const condition = new Counting(() => 'sql_error')
    await assert.rejects(survey(condition, { where: 'x' }).run(columnsOf(8)), { code: 'sql_error' })
    assert.deepEqual(condition.asked, [8, 0])
    const unreadable = new Counting(() => 'data_unreadable')
    await assert.rejects(survey(unreadable).run(columnsOf(8)), { code: 'data_unreadable' })
    assert.deepEqual(unreadable.asked, [8])
  })
})
