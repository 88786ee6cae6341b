import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../test/support/manual-clock.ts'
import type { AuditEntry } from './audit-trail.ts'
import { RefusalSums } from './refusal-sums.ts'

const HOUR_MS = 3600_000

const entryOf = (ip: string, requestId = 'req_1'): AuditEntry => ({
  user: null,
  apiKey: null,
  action: 'sign-in',
  resourceType: 'token',
  resourceId: null,
  outcome: 'refused',
  status: 401,
  code: 'invalid_token',
  ip,
  userAgent: 'guesser',
  requestId,
  changes: null
})

function setUp() {
  const clock = new ManualClock()
  const rows: AuditEntry[] = []
  const reported: unknown[] = []
  let trouble: Error | undefined
  const write = async (entry: AuditEntry) => {
    if (trouble !== undefined) throw trouble
    rows.push(entry)
  }
  const sums = new RefusalSums({ clock, write, report: (error) => reported.push(error) })
  const fail = (error: Error | undefined) => {
    trouble = error
  }
  return { clock, rows, reported, sums, fail }
}

/** How many refusals the rows tell of. */
const toldBy = (rows: readonly AuditEntry[]) =>
  rows.reduce((sum, { changes }) => {
    const { from, to } = (changes?.refusals ?? { from: 0, to: 1 }) as { from: number; to: number }
    return sum + to - from
  }, 0)

describe('refusals of those whom nobody knows', () => {
  it('are rows of their own at first, then a sum that says from when on and how many', async () => {
    const { clock, rows, sums } = setUp()
    const since = clock.iso()
    for (let n = 1; n <= 60; n++) await sums.note(entryOf('10.0.0.1', `req_${n}`), '10.0.0.1')
    assert.equal(rows.length, 50)
    assert.ok(rows.every(({ changes }) => changes === null))
    clock.advance(HOUR_MS)
    const last = rows.at(-1)
    assert.deepEqual(last?.changes, { refusals: { from: 50, to: 60 }, since: { to: since } })
    assert.deepEqual([last?.ip, last?.requestId, last?.userAgent], ['10.0.0.1', 'req_60', null])
    assert.equal(rows.length, 51)
  })

  it('leave few rows and are all told of, however many there are and from wherever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            address: fc.integer({ min: 0, max: 3 }),
            times: fc.integer({ min: 1, max: 3000 }),
            ms: fc.nat(HOUR_MS)
          }),
          { maxLength: 6 }
        ),
        async (bursts) => {
          const { clock, rows, sums } = setUp()
          let total = 0
          for (const { address, times, ms } of bursts) {
            for (let n = 0; n < times; n++) await sums.note(entryOf(`10.0.0.${address}`), `10.0.0.${address}`)
            total += times
            clock.advance(ms)
          }
          await sums.close()
          assert.equal(toldBy(rows), total)
          assert.ok(rows.length <= bursts.length * 54, `${rows.length} rows`)
        }
      ),
      { numRuns: 30 }
    )
  })

  it('of many addresses leave a thousand rows of their own in an hour, and sums of their own', async () => {
    const { clock, rows, sums } = setUp()
    for (let n = 0; n < 12_000; n++) await sums.note(entryOf(`10.${n >> 8}.0.${n % 256}`), `10.${n >> 8}.0.${n % 256}`)
    assert.ok(rows.length < 12_000)
    const own = rows.filter(({ changes }) => changes === null)
    assert.equal(own.length, 1000)
    clock.advance(HOUR_MS)
    await sums.close()
    assert.equal(toldBy(rows), 12_000)
  })

  it('are counted for each key that is known, and name none where they stand for many', async () => {
    const { clock, rows, sums } = setUp()
    const of = (key: string, ip: string): AuditEntry => ({
      ...entryOf(ip),
      user: { id: 'usr_1', name: 'ada' },
      apiKey: { id: key, name: key }
    })
    for (let n = 0; n < 60; n++) for (const key of ['a', 'b']) await sums.note(of(key, '10.0.0.1'), '10.0.0.1')
    assert.deepEqual([rows.length, new Set(rows.map(({ apiKey }) => apiKey?.id)).size], [100, 2])
    for (let n = 0; n < 905; n++) await sums.note(of('c', `10.1.0.${n}`), `10.1.0.${n}`)
    rows.length = 0
    clock.advance(HOUR_MS)
    await sums.close()
    const told = rows.map(({ apiKey, user, ip, changes }) => [apiKey?.id, user?.id, ip, changes?.refusals?.to])
    assert.deepEqual(told, [
      ['a', 'usr_1', '10.0.0.1', 60],
      ['b', 'usr_1', '10.0.0.1', 60],
      [undefined, undefined, '', 5]
    ])
  })

  it('are not lost where the sum can’t be written', async () => {
    const { clock, rows, reported, sums, fail } = setUp()
    for (let n = 0; n < 60; n++) await sums.note(entryOf('10.0.0.1'), '10.0.0.1')
    fail(new Error('full'))
    clock.advance(HOUR_MS)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(reported.length, 1)
    fail(undefined)
    await sums.close()
    assert.equal(toldBy(rows), 60)
  })
})
