import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emptyLedger } from '../protocol/ledger.ts'
import { Totals } from './totals.ts'

test('processes keep ending where three did within ten minutes', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 700_000 }), (steps, laterMs) => {
      const totals = new Totals()
      const deaths: number[] = []
      let nowMs = 0
      for (const step of steps) {
        nowMs += step
        deaths.push(nowMs)
        totals.died(nowMs)
      }
      nowMs += laterMs
      assert.equal(totals.deaths, deaths.length)
      assert.equal(totals.keepDying(nowMs), deaths.filter((ms) => nowMs - ms < 600_000).length >= 3)
    })
  )
})

test('a run that is taken up again counts what is new', () => {
  const totals = new Totals()
  const at = (recordsRead: number) => ({ ...emptyLedger(), recordsRead })
  totals.committed(at(0), at(10))
  totals.committed(at(10), at(15))
  assert.equal(totals.ledger.recordsRead, 15)
})
