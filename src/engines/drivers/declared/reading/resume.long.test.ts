// Once: no database. A service answers that is made after what entries say.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { CursorEntry, StreamEntry } from '../entry.ts'
import { FAULTS } from '../testing/simulator.ts'
import { ids, pagings, streamOf, using } from '../testing/world.ts'
import type { JsonRecord } from './records.ts'

const DAY_MS = 86_400_000
const FIRST_MS = Date.parse('2025-06-01T00:00:00Z')

/** Records that two slices have, read one by one: those of the first are known when the second comes. */
const atTheEdge = {
  ...{ days: [7, 7], later: [], limit: 1, step: 'P7D' as const, format: undefined, hasSince: true },
  ...{ faultAt: [], fault: 'cut' as const },
  paging: { kind: 'cursor', param: 'after', in: 'query', next: 'answer.data.-1.id' } as const
}

describe('reading on', () => {
  it('goes on from every position, with each record once', async () => {
    const cursor: CursorEntry = { field: 'at', since: { param: 'since' }, until: { param: 'until' }, start: 'start' }
    const cases = fc.record({
      days: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 40 }),
      later: fc.array(fc.integer({ min: 40, max: 60 }), { maxLength: 10 }),
      paging: fc.constantFrom(...pagings.filter((paging) => !('in' in paging) || paging.in === 'query')),
      limit: fc.integer({ min: 1, max: 12 }),
      step: fc.constantFrom(undefined, 'P7D', 'P1M'),
      format: fc.constantFrom(undefined, '%Y-%m-%d', '%s', '%ms'),
      hasSince: fc.boolean(),
      faultAt: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
      fault: fc.constantFrom(...FAULTS)
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ days, later, paging, limit, step, format, hasSince, faultAt, fault }) => {
        const printed = (day: number) => {
          const ms = FIRST_MS + day * DAY_MS
          if (format === '%s') return ms / 1000
          if (format === '%ms') return ms
          return new Date(ms).toISOString().slice(0, format === undefined ? undefined : 10)
        }
        const made = (list: readonly number[], from: number) =>
          list.toSorted((a, b) => a - b).map((day, at) => ({ id: from + at + 1, at: printed(day) }))
        const { since, until, ...bare } = cursor
        const own = { ...bare, ...(hasSince && { since, until, ...(step && { step }) }), ...(format && { format }) }
        const records: JsonRecord[] = made(days, 0)
        const stream = { ...streamOf(paging), cursor: own } as StreamEntry
        await using(
          { things: { stream, records } },
          { faultOf: (_, number) => (faultAt.includes(number) ? fault : undefined) },
          async ({ read }) => {
            const seen: number[] = []
            let after: string | null = null
            const readAll = async () => {
              for (let reads = 0; reads < 200; reads++) {
                const part = await read('things', { cursor: { column: 'at', after }, limit })
                if (part.values.length === 0) return
                assert.ok(part.values.length <= limit)
                seen.push(...ids(part))
                after = part.position ?? null
                assert.ok(after !== null && after.length <= 8192)
              }
              assert.fail('it has no end')
            }
            await readAll()
            assert.deepEqual(
              seen,
              records.map(({ id }) => id),
              'at first'
            )
            records.push(...made(later, records.length))
            await readAll()
            assert.deepEqual(
              seen.toSorted((a, b) => a - b),
              records.map(({ id }) => id),
              'then'
            )
          }
        )
      }),
      { numRuns: 60, examples: [[atTheEdge]] }
    )
  })
})
