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
