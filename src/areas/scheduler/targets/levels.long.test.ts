import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startLevelsApp } from '../../../../test/support/levels-app.ts'
import { put } from '../../../../test/support/objects/client.ts'
import { seenWhenMade } from '../../../../test/support/objects/seen-when-made.ts'

describe('levels of what schedules write', () => {
  let test: TestApp
  let admin: Awaited<ReturnType<typeof startLevelsApp>>['admin']
  before(async () => {
    ;({ test, admin } = await startLevelsApp())
  })
  after(() => test.close())
  const label = (resource: string, columns: string[]) =>
    admin('POST', '/classification/resources', { resource, level: 'confidential', columns })
  const runOnce = async (name: string, target: object) => {
    const { id } = await admin('POST', '/scheduler/schedules', { name, everySeconds: 86_400, target })
    await admin('POST', `/scheduler/schedules/${id}/run`)
    await eventually(async () => {
      const { runs } = await admin('GET', `/scheduler/schedules/${id}/history`)
      assert.equal(runs[0]?.state, 'succeeded', JSON.stringify(runs))
    })
  }

  it('of SQL are those of its columns before the object is there', async (t) => {
    await put(test, 'shop', 'people.csv', 'id,email\n1,ada@example.org\n')
    await label('object://shop/people.csv', ['email'])
    const seen = await seenWhenMade(t, test, 'out')
    const sqlTarget = (sql: string, key: string) => ({
      type: 'sql',
      config: { sql, relations: { p: 'object://shop/people.csv' }, into: { bucket: 'out', key, format: 'csv' } }
    })
    await runOnce('addresses', sqlTarget('SELECT lower(email) AS mail FROM p', 'mail.csv'))
    await runOnce('numbers', sqlTarget('SELECT id FROM p', 'ids.csv'))
    assert.deepEqual(seen, [
      { key: 'mail.csv', isOpen: false },
      { key: 'ids.csv', isOpen: true }
    ])
  })
})
