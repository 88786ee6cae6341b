import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unpack } from './unpack.ts'

/** The numbers as a row of bits, the lowest first. */
function pack(numbers: readonly number[], bits: number): DataView {
  const bytes = new Uint8Array(Math.ceil((numbers.length * bits) / 8) + 8)
  numbers.forEach((number, place) => {
    for (let bit = 0; bit < bits; bit++) {
      const at = place * bits + bit
      if ((number >>> bit) & 1) bytes[at >> 3] = (bytes[at >> 3] as number) | (1 << (at & 7))
    }
  })
  return new DataView(bytes.buffer)
}

const cases = fc.integer({ min: 1, max: 25 }).chain((bits) =>
  fc.record({
    bits: fc.constant(bits),
    numbers: fc.array(fc.nat(Math.min(2 ** bits - 1, 4000)), { minLength: 1, maxLength: 70 }),
    from: fc.nat(),
    count: fc.nat()
  })
)

test('packed numbers are looked up wherever reading begins and ends', () => {
  fc.assert(
    fc.property(cases, ({ bits, numbers, from, count }) => {
      const skip = from % numbers.length
      const length = count % (numbers.length - skip + 1)
      const lookup = Float64Array.from({ length: 4001 }, (_, index) => index * 10)
      const out = new Float64Array(length + 2).fill(-1)
      unpack({ view: pack(numbers, bits), data: 0, bits, lookup }, skip, out, 1, length)
      const expected = numbers.slice(skip, skip + length).map((number) => number * 10)
      assert.deepEqual([...out], [-1, ...expected, -1])
    })
  )
})

test('a number that stands for nothing is noticed, wherever it is', () => {
  for (let place = 0; place < 30; place++) {
    const numbers = Array.from({ length: 30 }, (_, i) => (i === place ? 5 : 4))
    const packed = { view: pack(numbers, 3), data: 0, bits: 3, lookup: new Float64Array(5) }
    assert.throws(() => unpack(packed, 0, new Float64Array(30), 0, 30), /dictionary of 5/)
  }
})
