import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../../http/permissions.ts'
import type { ResultRow } from '../migrations.ts'
import { toResult } from './view.ts'

const row = {
  dataset: 'object://lake/people.csv',
  status: 'error',
  outcome: JSON.stringify({
    status: 'error',
    reason: { code: 'sql_error', message: "Could not convert string 'SECRET-4711' to INT64" },
    failingRowsQuery: { sql: "FROM dataset WHERE ssn NOT IN ('SECRET-4711')", relations: {} },
    sample: [{ ssn: 'SECRET-4711' }]
  })
} as ResultRow
const actor = (scopes?: readonly string[]): Actor => ({
  id: 'u',
  name: 'u',
  role: 'viewer',
  scopes,
  apiKeyId: undefined
})

test('what may quote a value is shown to those alone who may see all of the data', () => {
  const shown = JSON.stringify(toResult(row, actor(), undefined))
  assert.match(shown, /Could not convert string 'SECRET-4711'/)
  for (const hidden of [toResult(row, actor(['quality:read']), undefined), toResult(row, actor(), ['ssn'])]) {
    assert.doesNotMatch(JSON.stringify(hidden), /SECRET/)
    assert.match(hidden.reason?.message ?? '', /shown to those who may see all of the data/)
  }
})

const aged = (unit: string, column?: string) =>
  ({
    ...row,
    status: 'failed',
    outcome: JSON.stringify({
      status: 'failed',
      unit,
      measured: 857524809.209,
      threshold: 86400,
      ...(column !== undefined && { column }),
      reason: {
        code: 'too_old',
        message: 'The newest row is of 1999-09-17T00:00:00.000Z, which is longer ago than 1d.'
      },
      expected: { value: 857524000, low: 857520000, high: 857528000 },
      anomaly: {
        kind: 'value',
        since: '2026-01-01T00:00:00.000Z',
        measured: 857524809.209,
        message: '857500000 s where …'
      },
      sample: []
    })
  }) as ResultRow
const DATED = /8575|1999/

test('how old the newest value of a column was is shown to those alone who may see the column', () => {
  for (const one of [aged('seconds', 'born'), aged('seconds')]) {
    for (const mask of ['all', ['Born']] as const) {
      const hidden = toResult(one, actor(), mask as 'all')
      assert.doesNotMatch(JSON.stringify(hidden), DATED)
      assert.deepEqual([hidden.status, hidden.threshold, hidden.reason?.code], ['failed', 86400, 'too_old'])
      assert.deepEqual([hidden.anomaly?.kind, hidden.anomaly?.since], ['value', '2026-01-01T00:00:00.000Z'])
    }
  }
  assert.deepEqual(toResult(aged('seconds', 'born'), actor(), ['ssn']).measured, 857524809.209)
  assert.match(toResult(aged('seconds', 'born'), actor(['quality:read']), undefined).reason?.message ?? '', /1999/)
  assert.doesNotMatch(JSON.stringify(toResult(aged('seconds'), actor(), ['ssn'])), DATED, 'of an older version')
  assert.equal(toResult(aged('rows', 'born'), actor(), 'all').measured, 857524809.209, 'a number of rows')
})

test('where values have moved most is told to those alone who may see all of the data', () => {
  const amount = 'Cramér’s V is 0.334, more than 0.2'
  const moved = (rest: string) =>
    ({
      ...row,
      outcome: JSON.stringify({ reason: { code: 'drift', message: `${amount}${rest}` }, sample: [] })
    }) as ResultRow
  const named = moved(': SECRET: 4711 was 0 % and is 33.25 %.')
  assert.match(toResult(named, actor(), undefined).reason?.message ?? '', /SECRET/)
  for (const hidden of [toResult(named, actor(['quality:read']), undefined), toResult(named, actor(), ['ssn'])]) {
    assert.equal(hidden.reason?.message, `${amount}.`)
  }
  const byChance = ', which chance alone may do to 4 rows against 5 (p = 0.4).'
  assert.equal(toResult(moved(byChance), actor(), 'all').reason?.message, `${amount}${byChance}`)
})
