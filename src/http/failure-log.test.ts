import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { Problem } from '../errors.ts'
import { FailureLog } from './failure-log.ts'

function setUp() {
  const clock = new ManualClock('2026-01-01T00:00:00.000Z')
  const told: { code: string; count?: number; stack?: boolean }[] = []
  const log = {
    warn: (fields: object) => void told.push(fields as (typeof told)[number]),
    failure: ({ code }: { code: string }) => void told.push({ code, stack: true })
  }
  return { clock, told, failures: new FailureLog({ clock, log }) }
}

it('the first of many alike is told at once, the others as a sum a minute', () => {
  const { clock, told, failures } = setUp()
  for (let i = 0; i < 1000; i++) failures.tell(new Problem('overloaded'), `req_${i}`)
  failures.tell(new Problem('series_url_missing', { cause: new Error('why') }), 'req_x')
  assert.deepEqual(
    told.map(({ code, count }) => [code, count]),
    [
      ['overloaded', undefined],
      ['series_url_missing', undefined]
    ]
  )
  assert.doesNotMatch(JSON.stringify(told), /stack|\bat /)
  clock.advance(60_000)
  assert.deepEqual(told.slice(2), [{ code: 'overloaded', count: 999, seconds: 60 }])
  clock.advance(60_000)
  failures.tell(new Problem('overloaded'), 'req_y')
  assert.equal(told.length, 4, 'after a quiet minute it is news again')
})

it('what nobody foresaw is told each time, with where it happened', () => {
  const { told, failures } = setUp()
  for (let i = 0; i < 3; i++) failures.tell(new Problem('internal_error'), 'req')
  assert.deepEqual(told, Array(3).fill({ code: 'internal_error', stack: true }))
})

it('every one is counted, and no code has more than a line a minute beside its first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40_000 }), { maxLength: 60 }), (pauses) => {
      const { clock, told, failures } = setUp()
      for (const ms of pauses) {
        clock.advance(ms)
        failures.tell(new Problem('overloaded'), 'req')
      }
      clock.advance(120_000)
      const counted = told.reduce((sum, { count = 1 }) => sum + count, 0)
      assert.equal(counted, pauses.length)
      const minutes = pauses.reduce((sum, ms) => sum + ms, 0) / 60_000 + 2
      assert.ok(told.length <= 2 * minutes + 1)
    })
  )
})
