// Once: SQL runs in processes of its own, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { AreaNeeds } from '../../src/area.ts'
import {
  type OrdersService,
  ordersEntry,
  startOrdersService
} from '../../src/areas/integration/testing/orders-service.ts'
import { sqlTarget } from '../../src/areas/scheduler/targets/sql.ts'
import type { TestApp } from '../support/app.ts'
import { makeBucket } from '../support/objects/client.ts'
import { startTargetApp } from '../support/targets.ts'

describe('SQL over a service', () => {
  let test: TestApp
  let needs: AreaNeeds
  let service: OrdersService
  let orders: string
  before(async () => {
    service = await startOrdersService()
    ;({ test, needs } = await startTargetApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } }))
    await makeBucket(test, 'reports')
    await call('/integration/sources', ordersEntry(service.base))
    const config = { token: 's3cret-orders' }
    const { id } = await call('/connectors', { name: 'orders', sourceId: 'our-orders', config })
    await call(`/connectors/${id}/discover`)
    orders = `connector://${id}/orders`
  })
  after(async () => {
    await test.close()
    await service.stop()
  })

  async function call(path: string, body?: object) {
    const answer = await test.call('POST', `/api${path}`, { as: 'admin', ...(body && { body }) })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  /** The ids that a statement gives, and what the service was asked meanwhile. */
  async function ask(sql: string, parameters = {}) {
    const before = service.asked.length
    const answer = await needs.plane.query({ sql, relations: { orders }, parameters })
    const rows = await answer.rows()
    return { ids: rows.map(([id]) => id), asked: service.asked.slice(before) }
  }

  it('asks from where its condition begins, which may be a due time', async () => {
    const first = await ask(`SELECT id FROM orders WHERE updated_at >= '2026-03-04' ORDER BY id`)
    assert.deepEqual(first.ids, [4, 5])
    assert.match(first.asked[0] ?? '', /since=2026-03-03T00/)
    const due = await ask('SELECT id FROM orders WHERE updated_at >= $previous_due_at ORDER BY id', {
      previous_due_at: '2026-03-05T00:00:00.000Z'
    })
    assert.deepEqual([due.ids, due.asked.length], [[5], 2])
    assert.match(due.asked[0] ?? '', /since=2026-03-04T00/)
    const some = await ask('SELECT id FROM orders LIMIT 1')
    assert.deepEqual([some.ids.length, some.asked.length], [1, 1])
  })

  it('is checked without asking the service for a record', async () => {
    const before = service.asked.length
    const into = { bucket: 'reports', key: 'r-{date}.csv', format: 'csv' }
    const check = (sql: string) => sqlTarget(needs).check?.({ config: { sql, relations: { orders }, into } })
    await check('SELECT count(*) AS count FROM orders WHERE updated_at >= $previous_due_at')
    await assert.rejects(async () => check('SELECT nothing FROM orders'), { code: 'invalid_request' })
    assert.equal(service.asked.length, before)
  })
})
