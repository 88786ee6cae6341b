import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Suspects } from './suspects.ts'

const HOUR_MS = 3_600_000
const conduct = (forMs: number, hasCommitted = false, isAtWork = false) => ({ forMs, hasCommitted, isAtWork })

describe('a run that may have ended its process', () => {
  it('shares one again once it has committed, or had nothing to do for a while', () => {
    const suspects = new Suspects()
    suspects.add('busy', 0)
    suspects.add('idle', 0)
    assert.ok(!suspects.clear('busy', conduct(300_000, false, true)) && suspects.has('busy'))
    assert.ok(suspects.clear('busy', conduct(4000, true, true)) && !suspects.has('busy'))
    assert.ok(!suspects.clear('idle', conduct(4999)))
    assert.ok(suspects.clear('idle', conduct(5000)))
  })

  it('has to prove more each time, whatever it does, but never for ever', () => {
    const Conduct = fc.record({ forMs: fc.nat(3_000_000), hasCommitted: fc.boolean(), isAtWork: fc.boolean() })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), Conduct, (times, how) => {
        const cleared = (count: number, one: typeof how) => {
          const suspects = new Suspects()
          for (let i = 0; i < count; i++) suspects.add('r', i)
          return suspects.clear('r', one)
        }
        if (cleared(times + 1, how)) assert.ok(cleared(times, how))
        if (times > 1) assert.ok(!cleared(times, { ...how, forMs: 5000 }))
        assert.ok(cleared(times, { ...how, forMs: 2_400_000 }))
      })
    )
  })

  it('is not held to what was long ago, nor to what an ended run did', () => {
    const suspects = new Suspects()
    for (let i = 0; i < 5; i++) suspects.add('r', i)
    suspects.add('r', HOUR_MS + 5)
    assert.ok(suspects.clear('r', conduct(0, true)))
    suspects.add('ended', 0)
    suspects.forget('ended')
    assert.ok(!suspects.has('ended'))
  })
})
