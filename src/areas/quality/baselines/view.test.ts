import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../../http/permissions.ts'
import type { BaselineRow } from '../migrations.ts'
import { toBaseline } from './view.ts'

test('the condition of a baseline is shown to those alone who may see all of the data', () => {
  const row = { dataset: 'object://lake/people.csv', column_name: 'age', condition: "name = 'Ada'", is_sealed: 1 }
  const actor: Actor = { id: 'u', name: 'u', role: 'viewer', scopes: undefined, apiKeyId: undefined }
  const conditionFor = (mask: string[] | undefined, condition = row.condition) =>
    toBaseline({ ...row, condition } as BaselineRow, actor, mask).where
  assert.equal(conditionFor(undefined), "name = 'Ada'")
  assert.equal(conditionFor(['name']), '********')
  assert.equal(conditionFor(['name'], ''), null)
})
