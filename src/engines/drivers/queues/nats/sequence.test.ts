// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { firstWanted } from './reading.ts'

describe('positions in a stream of JetStream', () => {
  it('lead to the next sequence, and to the beginning of a stream that is shorter', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (after, last) => {
        assert.equal(firstWanted(String(after), last), after > last ? 1 : after + 1)
      })
    )
    assert.equal(firstWanted(null, 9), 1)
  })

  it('are refused where they are none', () => {
    for (const after of ['', '-1', '1.5', 'x', '1-0', '9007199254740993']) {
      assert.throws(() => firstWanted(after, 10), { code: 'bad_request' }, after)
    }
  })
})
