import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { backoffMs, type Outcome, type Standing, settled } from './transitions.ts'

const nowMs = Date.parse('2026-01-01T00:00:00.000Z')
const once: Standing = { attempts: 1, max_attempts: 5, deadline_at: null, cancel_requested: 0, every_ms: null }
const error = { code: 'no_luck', message: 'no luck' }

describe('transitions', () => {
  it('back off exponentially within a fifth, up to 5 minutes', () => {
    assert.deepEqual([backoffMs(1, 0), backoffMs(1, 0.5), backoffMs(1, 1)], [800, 1000, 1200])
    assert.deepEqual([backoffMs(2, 0.5), backoffMs(5, 0.5)], [2000, 16_000])
    assert.deepEqual([backoffMs(30, 0.5), backoffMs(2000, 1)], [300_000, 300_000])
  })

  it('put a released job back as if it had not been tried', () => {
    const change = settled({ ...once, attempts: 3 }, { end: 'stopped' }, nowMs, 0.5)
    assert.deepEqual([change.state, change.attempts, change.run_at], ['queued', 2, '2026-01-01T00:00:00.000Z'])
  })

  it('let success win over a cancellation that came too late', () => {
    const change = settled({ ...once, cancel_requested: 1 }, { end: 'succeeded', result: '1' }, nowMs, 0.5)
    assert.equal(change.state, 'succeeded')
  })

  it('never wait longer than the period of a recurring job, and start counting anew after it', () => {
    const often = { ...once, attempts: 3, every_ms: 200 }
    const retried = settled(often, { end: 'failed', error, permanent: false }, nowMs, 0.5)
    assert.deepEqual([retried.run_at, retried.attempts], ['2026-01-01T00:00:00.200Z', undefined])
    const next = settled(often, { end: 'succeeded', result: '1' }, nowMs, 0.5)
    assert.deepEqual([next.run_at, next.attempts], ['2026-01-01T00:00:00.200Z', 0])
  })

  it('always free the lease, and finish exactly when there is nothing left to try', () => {
    const standing = fc.record<Standing>({
      attempts: fc.integer({ min: 1, max: 8 }),
      max_attempts: fc.integer({ min: 1, max: 8 }),
      deadline_at: fc.option(fc.integer({ min: -9, max: 9 }).map((s) => new Date(nowMs + s * 1000).toISOString())),
      cancel_requested: fc.constantFrom(0, 1),
      every_ms: fc.option(fc.integer({ min: 1, max: 100_000 }))
    })
    const outcome = fc.oneof(
      fc.constant<Outcome>({ end: 'succeeded', result: 'null' }),
      fc.boolean().map((permanent): Outcome => ({ end: 'failed', error, permanent })),
      fc.constant<Outcome>({ end: 'stopped' }),
      fc.constant<Outcome>({ end: 'lapsed' })
    )
    fc.assert(
      fc.property(standing, outcome, fc.double({ min: 0, max: 1, noNaN: true }), (job, ended, chance) => {
        const change = settled(job, ended, nowMs, chance)
        assert.deepEqual([change.lease_owner, change.lease_until], [null, null])
        assert.equal(change.state === 'queued', change.finished_at === undefined)
        assert.equal(change.state === 'queued', change.run_at !== undefined)
        if (job.every_ms !== null && job.cancel_requested === 0) assert.equal(change.state, 'queued')
        if (change.state === 'queued') assert.ok((change.run_at as string) >= new Date(nowMs).toISOString())
        if (change.state === 'queued' && job.every_ms === null && ended.end !== 'stopped') {
          assert.ok(job.attempts < job.max_attempts)
          assert.ok(job.deadline_at === null || (change.run_at as string) < job.deadline_at)
        }
      })
    )
  })
})
