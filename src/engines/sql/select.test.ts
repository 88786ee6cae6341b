// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SqlCondition } from './index.ts'
import { quoteName, quoteText } from './postgres/quote.ts'
import { selectOf } from './select.ts'

const select = (where: unknown[], columns?: string[]) =>
  selectOf('t', { where: where as SqlCondition[], ...(columns && { columns }) }, { quoteName, quoteText })

describe('the SELECT of a part of a table', () => {
  it('has the columns and the conditions that were asked for, quoted', () => {
    const where = [
      { column: 'a"b', is: '>=', values: [{ number: '-5' }] },
      { column: 'c', is: 'in', values: [{ text: "it's" }, { text: '\\' }] },
      { column: 'd', is: 'not null', values: [] }
    ]
    assert.equal(
      select(where, ['a"b', 'c']),
      `SELECT "a""b", "c" FROM t WHERE "a""b" >= -5 AND "c" IN ('it''s',  E'\\\\') AND "d" IS NOT NULL`
    )
    assert.equal(select([]), 'SELECT * FROM t')
  })

  it('takes nothing else for a comparison or a number', () => {
    for (const bad of [
      { column: 'a', is: '= 1 OR', values: [{ number: '1' }] },
      { column: 'a', is: '=', values: [{ number: '1; DROP TABLE t' }] }
    ]) {
      assert.throws(() => select([bad]), { code: 'invalid_query' })
    }
  })
})
