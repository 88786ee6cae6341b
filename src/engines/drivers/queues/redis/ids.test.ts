// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { idAfter } from './ids.ts'

const MOST = 2n ** 64n - 1n
const part = fc.oneof(fc.bigInt({ min: 0n, max: MOST }), fc.constantFrom(0n, 1n, MOST - 1n, MOST))
const rankOf = (id: string) => {
  const [ms, sequence] = id.split('-') as [string, string]
  return BigInt(ms) * (MOST + 1n) + BigInt(sequence)
}

describe('ids of entries', () => {
  it('are followed by the next one, with nothing between them', () => {
    fc.assert(
      fc.property(part, part, (ms, sequence) => {
        const id = `${ms}-${sequence}`
        const next = idAfter(id)
        if (next === undefined) assert.deepEqual([ms, sequence], [MOST, MOST])
        else assert.equal(rankOf(next), rankOf(id) + 1n)
      })
    )
    assert.equal(idAfter('5'), '5-1')
  })

  it('are refused where they are none', () => {
    for (const id of [
      '',
      '-',
      '1-',
      '-1',
      '1-2-3',
      '0x1-1',
      '99999999999999999999-0',
      '1-99999999999999999999',
      '1 ',
      '$'
    ])
      assert.throws(() => idAfter(id), { code: 'bad_request' }, id)
  })
})
