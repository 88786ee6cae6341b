// No database: arithmetic.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { judge } from './judge.ts'

it('a share of rows is the number that its threshold is written as', () => {
  const rule = { type: 'notNull', config: { column: 'a' }, warnThreshold: null, failThreshold: '0.14%' }
  for (const [failed, checked, measured, status] of [
    [7, 5000, 0.14, 'passed'],
    [14, 10_000, 0.14, 'passed'],
    [8, 5000, 0.16, 'failed']
  ] as const) {
    const judged = judge(rule as unknown as Parameters<typeof judge>[0], { checked, failed, value: null }, 0)
    assert.deepEqual([judged.measured, judged.status], [measured, status])
  }
})
