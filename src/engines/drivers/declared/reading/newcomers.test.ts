// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Paging } from '../entry.ts'
import type { SimulatedStream } from '../testing/simulator.ts'
import { ids, using } from '../testing/world.ts'
import type { JsonRecord } from './records.ts'

const PAGING: Paging = { kind: 'offset', param: 'skip', size: 2, sizeParam: 'take' }

describe('what a read that goes on must not miss', () => {
  for (const isAsked of [true, false]) {
    it(`is all of a parent that is new, ${isAsked ? 'also where the service is asked for what is newer' : 'however old'}`, async () => {
      const regions: JsonRecord[] = [{ id: 'a' }, { id: 'b' }]
      const orders = new Map<string, JsonRecord[]>([
        ['a', [1, 2, 3].map((id) => ({ id, at: `2025-07-0${id}T00:00:00Z` }))],
        ['b', [4, 5].map((id) => ({ id, at: `2025-07-0${id}T00:00:00Z` }))]
      ])
      const streams: Record<string, SimulatedStream> = {
        regions: { stream: { path: '/regions', records: 'data', paging: PAGING, key: 'id' }, records: () => regions },
        orders: {
          stream: {
            path: '/regions/{parent.region}/orders',
            records: 'data',
            paging: PAGING,
            key: ['region', 'id'],
            cursor: { field: 'at', ...(isAsked && { since: { param: 'since' } }) },
            each: { stream: 'regions', as: { region: 'id' } }
          },
          records: ({ url }) => orders.get(url.pathname.split('/').at(-2) ?? '') ?? []
        }
      }
      await using(streams, {}, async ({ read }) => {
        const first = await read('orders', { cursor: { column: 'at', after: null } })
        assert.deepEqual(ids(first), [1, 2, 3, 4, 5])
        regions.unshift({ id: 'new' })
        orders.set(
          'new',
          [6, 7, 8].map((id) => ({ id, at: `2025-06-0${id}T00:00:00Z` }))
        )
        orders.get('b')?.push({ id: 9, at: '2025-08-01T00:00:00Z' })
        const seen: number[] = []
        let after = first.position
        // However often it is broken off on the way.
        for (;;) {
          const part = await read('orders', { cursor: { column: 'at', after }, limit: 1 })
          if (part.values.length === 0) break
          seen.push(...ids(part))
          after = part.position ?? after
        }
        assert.deepEqual(seen, [6, 7, 8, 9])
      })
    })
  }

  it('is what comes after a record whose time has not come, which itself comes once', async () => {
    const records: JsonRecord[] = [
      { id: 1, at: '2025-07-01T00:00:00Z' },
      { id: 2, at: '2999-01-01T00:00:00Z' }
    ]
    const stream = { path: '/things', records: 'data', paging: PAGING, key: 'id', cursor: { field: 'at' } }
    await using({ things: { stream, records: () => records } }, {}, async ({ read }) => {
      const first = await read('things', { cursor: { column: 'at', after: null } })
      assert.deepEqual(ids(first), [1, 2])
      records.push({ id: 3, at: '2025-08-01T00:00:00Z' })
      const second = await read('things', { cursor: { column: 'at', after: first.position } })
      assert.deepEqual(ids(second), [3])
      records.push({ id: 4, at: '2998-01-01T00:00:00Z' }, { id: 5, at: '2025-09-01T00:00:00Z' })
      const third = await read('things', { cursor: { column: 'at', after: second.position } })
      assert.deepEqual(ids(third), [4, 5])
      assert.deepEqual(ids(await read('things', { cursor: { column: 'at', after: third.position } })), [])
    })
  })

  it('is the records beside one that is nested very deeply', async () => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const stream = { path: '/things', records: 'data', key: 'id' }
    await using({ things: { stream, records: [] } }, {}, async ({ read, simulator }) => {
      simulator.raw = `{"data": [{"id": 1, "deep": ${nested}}, {"id": 2, "deep": [1]}]}`
      const { values } = await read('things')
      assert.deepEqual(ids({ values }), [1, 2])
      assert.ok(values[0]?.deep === nested)
      assert.equal(values[1]?.deep, '[1]')
    })
  })
})
