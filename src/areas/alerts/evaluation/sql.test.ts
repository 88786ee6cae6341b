import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { DataError } from '../../../data/errors.ts'
import type { DataRow } from '../../../data/sql-process/messages.ts'
import type { Found } from './readings.ts'
import { readSql, type SqlCondition, type SqlNeeds } from './sql.ts'

const condition: SqlCondition = {
  kind: 'sql',
  relations: { input: 'series://src_a' },
  sql: '',
  operator: '>',
  threshold: 5
}

/** What a condition says of a table; columns are written as `name TYPE`. */
async function read(columns: readonly string[], ...rows: DataRow[]): Promise<Found> {
  const answer = {
    columns: columns.map((column) => ({ name: column.split(' ')[0] ?? '', type: column.split(' ')[1] ?? '' })),
    rows: async () => rows
  }
  return (await ask(async () => answer as never)).found
}

async function ask(query: SqlNeeds['plane']['query'], conditions = [condition]) {
  const needs = { clock: new ManualClock(), log: { error: () => {} }, plane: { query } }
  const found = await readSql(needs, conditions, new AbortController().signal)
  return { found: found.get(condition) as Found, all: found }
}

describe('what SQL answers', () => {
  it('is compared by the column value, or the only one with numbers', async () => {
    for (const found of [
      await read(['host VARCHAR', 'value DOUBLE', 'other BIGINT'], ['a', 9, 1], ['b', 1, 9]),
      await read(['host VARCHAR', 'seconds DECIMAL(18,3)'], ['a', '9.000'], ['b', 1])
    ]) {
      assert.ok('readings' in found)
      assert.deepEqual(
        found.readings.map(({ labels, reading }) => [labels, reading]),
        [
          [{ host: 'a' }, { kind: 'value', value: 9, isMet: true }],
          [{ host: 'b' }, { kind: 'value', value: 1, isMet: false }]
        ]
      )
    }
  })

  it('is no data where there is no number', async () => {
    const found = await read(['host VARCHAR', 'value DOUBLE'], ['a', null], ['b', 'NaN'])
    assert.ok('readings' in found)
    assert.deepEqual(
      found.readings.map(({ reading }) => reading.kind),
      ['noData', 'noData']
    )
  })

  it('is refused with what to do where it can’t be judged', async () => {
    const many = Array.from({ length: 1001 }, (_, n): DataRow => [`${n}`, n])
    for (const [found, error] of [
      [read(['a BIGINT', 'b DOUBLE'], [1, 2]), /2 columns hold numbers: call the one that is to be compared value/],
      [read(['tag VARCHAR'], ['x']), /No column holds numbers/],
      [read(['value VARCHAR'], ['x']), /The column value does not hold numbers/],
      [read(['label VARCHAR', 'n BIGINT'], ['x', 1], ['x', 2]), /Two rows have the labels {"label":"x"}/],
      [read(['label VARCHAR', 'n BIGINT'], ['x'.repeat(2000), 1]), /A label has over 1024 characters/],
      [read(['label VARCHAR', 'n BIGINT'], ...many), /more than 1,000 rows/]
    ] as const) {
      const refused = await found
      assert.match('error' in refused ? refused.error : '', error)
    }
  })

  it('is asked for once by all that ask the same, and a failure has one cause', async () => {
    let asked = 0
    const others = [condition, { ...condition, threshold: 9 }, { ...condition, sql: 'other' }]
    const { all } = await ask(async () => {
      asked++
      throw new DataError('unavailable', 'The store does not answer.')
    }, others)
    assert.equal(asked, 2)
    const found = [...all.values()]
    assert.deepEqual(new Set(found.map((one) => JSON.stringify(one))).size, 1)
    assert.deepEqual(found[0], { error: 'The store does not answer.', cause: 'series://src_a: store_failed' })
  })
})
