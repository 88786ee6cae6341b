import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { batches } from './batches.ts'

test('every row is in one batch, in order, and no batch is larger than it may be', () => {
  const rows = fc.array(fc.nat(200), { maxLength: 50 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 9 }), fc.nat(500), (lengths, maxRows, maxBytes) => {
      const values = [lengths.map((length) => 'x'.repeat(length))]
      const request = { table: 't', columns: [{ name: 'a', type: 'text' as const }], values, rows: lengths.length }
      let next = 0
      for (const [from, to] of batches(request, maxRows, maxBytes)) {
        assert.equal(from, next)
        assert.ok(to > from && to - from <= maxRows)
        const bytes = lengths.slice(from, to).reduce((sum, length) => sum + length + 8, 0)
        assert.ok(to - from === 1 || bytes <= maxBytes)
        next = to
      }
      assert.equal(next, lengths.length)
    })
  )
})
