// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { beginning, parsePosition, positionText } from './positions.ts'

const offset = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })

describe('positions in a topic', () => {
  it('are read as they were written', () => {
    const positions = fc.array(fc.tuple(fc.nat({ max: 99_999 }), offset), { minLength: 1 })
    fc.assert(
      fc.property(positions, (entries) => {
        const map = new Map(entries)
        assert.deepEqual(new Map([...parsePosition(positionText(map))].sort()), new Map([...map].sort()))
      })
    )
    assert.deepEqual(parsePosition(null), new Map())
  })

  it('are refused where they are none', () => {
    for (const text of ['x', '1', '1:', ':1', '0:1,', '0:-1', '0:1;1:2', '0:99999999999999999999'])
      assert.throws(() => parsePosition(text), { code: 'bad_request' }, text)
  })

  it('begin within what is there', () => {
    fc.assert(
      fc.property(fc.option(offset, { nil: undefined }), offset, offset, (wanted, a, b) => {
        const [first, end] = a < b ? [a, b] : [b, a]
        const from = beginning(wanted, first, end)
        assert.ok(from >= first && from <= end)
        if (wanted !== undefined && wanted >= first && wanted <= end) assert.equal(from, wanted)
        else assert.equal(from, first)
      })
    )
  })
})
