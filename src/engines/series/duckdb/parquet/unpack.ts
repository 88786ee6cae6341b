/** Bit-packed numbers, and the values that they stand for. */
export interface Packed {
  readonly view: DataView
  /** The byte at which the first number begins. */
  readonly data: number
  readonly bits: number
  readonly lookup: Float64Array
}

/**
 * Unpacks `count` numbers, from the one at `skip` on, and puts the values they stand for into `out`. Eight numbers
 * take a whole number of bytes, so each of the eight has a fixed position: that is more than twice as fast as
 * counting bits.
 */
export function unpack(packed: Packed, skip: number, out: Float64Array, at: number, count: number): void {
  const end = at + count
  const aligned = Math.min(at + ((8 - (skip & 7)) & 7), end)
  unpackSome(packed, skip, out, at, aligned - at)
  const eights = (end - aligned) >>> 3
  unpackEights(packed, (skip + aligned - at) >>> 3, out, aligned, eights)
  const rest = aligned + eights * 8
  unpackSome(packed, skip + rest - at, out, rest, end - rest)
}

function unpackSome({ view, data, bits, lookup }: Packed, skip: number, out: Float64Array, at: number, count: number) {
  const mask = (1 << bits) - 1
  for (let i = 0; i < count; i += 1) {
    const bit = (skip + i) * bits
    const index = (view.getInt32(data + (bit >>> 3), true) >>> (bit & 7)) & mask
    if (index >= lookup.length) throw outside(index, lookup.length)
    out[at + i] = lookup[index] as number
  }
}

function unpackEights(packed: Packed, skip: number, out: Float64Array, at: number, eights: number): void {
  const { view, data, bits, lookup } = packed
  const mask = (1 << bits) - 1
  const limit = lookup.length
  const [, b1, b2, b3, b4, b5, b6, b7] = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => (n * bits) >>> 3) as Eight
  const [, s1, s2, s3, s4, s5, s6, s7] = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => (n * bits) & 7) as Eight
  let place = data + skip * bits
  let i = at
  /** Negative as long as every index was below the limit. */
  let below = -1
  for (let n = 0; n < eights; n += 1, i += 8, place += bits) {
    const i0 = view.getInt32(place, true) & mask
    const i1 = (view.getInt32(place + b1, true) >>> s1) & mask
    const i2 = (view.getInt32(place + b2, true) >>> s2) & mask
    const i3 = (view.getInt32(place + b3, true) >>> s3) & mask
    const i4 = (view.getInt32(place + b4, true) >>> s4) & mask
    const i5 = (view.getInt32(place + b5, true) >>> s5) & mask
    const i6 = (view.getInt32(place + b6, true) >>> s6) & mask
    const i7 = (view.getInt32(place + b7, true) >>> s7) & mask
    below &= (i0 - limit) & (i1 - limit) & (i2 - limit) & (i3 - limit)
    below &= (i4 - limit) & (i5 - limit) & (i6 - limit) & (i7 - limit)
    out[i] = lookup[i0] as number
    out[i + 1] = lookup[i1] as number
    out[i + 2] = lookup[i2] as number
    out[i + 3] = lookup[i3] as number
    out[i + 4] = lookup[i4] as number
    out[i + 5] = lookup[i5] as number
    out[i + 6] = lookup[i6] as number
    out[i + 7] = lookup[i7] as number
  }
  if (below >= 0) unpackSome(packed, skip * 8, out, at, eights * 8) // finds out which index it was
}

type Eight = [number, number, number, number, number, number, number, number]

export function outside(index: number, length: number): Error {
  return new Error(`its dictionary of ${length} lacks index ${index}`)
}
