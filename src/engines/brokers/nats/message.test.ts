import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDelivery } from './message.ts'

const token = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/)
const number = fc.nat()

test('a delivery is read from what acknowledges it, in the form of older and newer servers', () => {
  fc.assert(
    fc.property(
      token,
      token,
      number,
      number,
      number,
      number,
      (stream, consumer, sequence, deliveries, timeMs, rest) => {
        const tail = `${stream}.${consumer}.${deliveries}.${sequence}.${rest}.${timeMs}000000.${rest}`
        const expected = { sequence, timeMs, pending: rest }
        assert.deepEqual(parseDelivery(`$JS.ACK.${tail}`), expected)
        assert.deepEqual(parseDelivery(`$JS.ACK.domain.hash.${tail}`), expected)
        assert.deepEqual(parseDelivery(`$JS.ACK._.hash.${tail}.random`), expected)
      }
    )
  )
})

test('anything else is none', () => {
  for (const reply of [undefined, '', '_INBOX.x', '$JS.ACK.a.b', '$JS.ACK.a.b.c.d.e.f.g']) {
    assert.equal(parseDelivery(reply), undefined)
  }
})
