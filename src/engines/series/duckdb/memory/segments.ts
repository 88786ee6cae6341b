import { HAS_EXACT } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import { readChain, type Slab } from './blocks.ts'
import type { Chain } from './generation.ts'

/** A chain sorted by time, each time once: of several points with one time, the last written. */
export function segmentOf(slabs: readonly Slab[], chain: Chain, exact: ReadonlyMap<number, string | bigint>): Segment {
  const { ns, values, flags, slots } = readChain(slabs, chain.firstBlock, chain.count, chain.hasExact)
  const order = chain.isSorted ? undefined : lastOfEachTime(ns)
  const take = <T extends Float64Array | Uint8Array | Int32Array>(from: T): T => {
    if (order === undefined) return from
    const to = from.slice(0, order.length) as T
    for (let i = 0; i < order.length; i++) to[i] = from[order[i] as number] as number
    return to
  }
  const places = slots && take(slots)
  return {
    day: chain.day,
    length: order?.length ?? chain.count,
    ns: take(ns),
    values: take(values),
    quality: qualityOf(take(flags)),
    exact: places && Array.from(places, (slot) => exact.get(slot))
  }
}

/** Rows sorted by time; of several rows with one time, the last. */
function lastOfEachTime(ns: Float64Array): Int32Array {
  const rows = Int32Array.from(ns, (_, row) => row).sort((a, b) => (ns[a] as number) - (ns[b] as number) || a - b)
  let kept = 0
  for (let i = 0; i < rows.length; i++) {
    if (i + 1 < rows.length && ns[rows[i] as number] === ns[rows[i + 1] as number]) continue
    rows[kept++] = rows[i] as number
  }
  return rows.subarray(0, kept)
}

function qualityOf(flags: Uint8Array): Uint8Array | undefined {
  let any = 0
  for (let i = 0; i < flags.length; i++) {
    const quality = (flags[i] as number) & (HAS_EXACT - 1)
    flags[i] = quality
    any |= quality
  }
  return any === 0 ? undefined : flags
}

/** The points from `fromNs` until before `toNs`. */
export function cut(segment: Segment, fromNs: number, toNs: number): Segment {
  const from = placeOf(segment.ns, segment.length, fromNs)
  const to = Math.max(from, placeOf(segment.ns, segment.length, toNs))
  if (from === 0 && to === segment.length) return segment
  return {
    day: segment.day,
    length: to - from,
    ns: segment.ns.subarray(from, to),
    values: segment.values.subarray(from, to),
    quality: segment.quality?.subarray(from, to),
    exact: segment.exact?.slice(from, to)
  }
}

/**
 * One day of one tag from several places, the oldest first: of points with one time that of the newest place counts.
 */
export function mergeSegments(segments: readonly Segment[]): Segment {
  return segments.reduce((older, newer) => mergeTwo(older, newer))
}

function mergeTwo(older: Segment, newer: Segment): Segment {
  if (newer.length === 0) return older
  if (older.length === 0) return newer
  const merged = new MergedRows(older, newer)
  // Segments mostly overlap little or not at all: what lies before and after the overlap is copied in one go.
  let a = placeOf(older.ns, older.length, newer.ns[0] as number)
  let b = 0
  merged.takeMany(older, 0, a)
  while (a < older.length && b < newer.length) {
    const left = older.ns[a] as number
    const right = newer.ns[b] as number
    if (left < right) {
      merged.takeMany(older, a, ++a)
    } else {
      if (left === right) a++
      merged.takeMany(newer, b, ++b)
    }
  }
  merged.takeMany(older, a, older.length)
  merged.takeMany(newer, b, newer.length)
  return merged.segment(older.day)
}

/** The first row whose time is not before `ns`. */
function placeOf(times: Float64Array, length: number, ns: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < ns) low = middle + 1
    else high = middle
  }
  return low
}

class MergedRows {
  #length = 0
  readonly #ns: Float64Array
  readonly #values: Float64Array
  readonly #quality: Uint8Array | undefined
  readonly #exact: (string | bigint | undefined)[] | undefined

  constructor(older: Segment, newer: Segment) {
    const size = older.length + newer.length
    this.#ns = new Float64Array(size)
    this.#values = new Float64Array(size)
    this.#quality = older.quality === undefined && newer.quality === undefined ? undefined : new Uint8Array(size)
    this.#exact = older.exact === undefined && newer.exact === undefined ? undefined : []
  }

  takeMany(segment: Segment, from: number, to: number): void {
    if (from >= to) return
    const at = this.#length
    this.#length += to - from
    if (to - from === 1) {
      this.#ns[at] = segment.ns[from] as number
      this.#values[at] = segment.values[from] as number
    } else {
      this.#ns.set(segment.ns.subarray(from, to), at)
      this.#values.set(segment.values.subarray(from, to), at)
    }
    if (segment.quality !== undefined) this.#quality?.set(segment.quality.subarray(from, to), at)
    if (this.#exact === undefined) return
    for (let row = from; row < to; row++) this.#exact[at + row - from] = segment.exact?.[row]
  }

  segment(day: number): Segment {
    const length = this.#length
    return {
      day,
      length,
      ns: this.#ns.subarray(0, length),
      values: this.#values.subarray(0, length),
      quality: this.#quality?.subarray(0, length),
      exact: this.#exact
    }
  }
}
