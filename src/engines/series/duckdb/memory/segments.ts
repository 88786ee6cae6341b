import { HAS_EXACT } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import { readChain, type Slab } from './blocks.ts'
import type { Chain } from './generation.ts'

/** A chain in the order of time, each time once: of those written for one time, the last. */
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

/** Rows in the order of time; where several have one time, the one that came last. */
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

/** One day of one tag from several places, the oldest first: of points at one time the newest place's counts. */
export function mergeSegments(segments: readonly Segment[]): Segment {
  return segments.reduce((older, newer) => mergeTwo(older, newer))
}

function mergeTwo(older: Segment, newer: Segment): Segment {
  if (newer.length === 0) return older
  if (older.length === 0) return newer
  const size = older.length + newer.length
  const merged = new MergedRows(older, newer, size)
  let a = 0
  let b = 0
  while (a < older.length && b < newer.length) {
    const left = older.ns[a] as number
    const right = newer.ns[b] as number
    if (left < right) {
      merged.take(older, a++)
    } else {
      if (left === right) a++
      merged.take(newer, b++)
    }
  }
  while (a < older.length) merged.take(older, a++)
  while (b < newer.length) merged.take(newer, b++)
  return merged.segment(older.day)
}

class MergedRows {
  #length = 0
  readonly #ns: Float64Array
  readonly #values: Float64Array
  readonly #quality: Uint8Array | undefined
  readonly #exact: (string | bigint | undefined)[] | undefined

  constructor(older: Segment, newer: Segment, size: number) {
    this.#ns = new Float64Array(size)
    this.#values = new Float64Array(size)
    this.#quality = older.quality === undefined && newer.quality === undefined ? undefined : new Uint8Array(size)
    this.#exact = older.exact === undefined && newer.exact === undefined ? undefined : []
  }

  take(from: Segment, row: number): void {
    const at = this.#length++
    this.#ns[at] = from.ns[row] as number
    this.#values[at] = from.values[row] as number
    if (this.#quality !== undefined) this.#quality[at] = from.quality?.[row] ?? 0
    if (this.#exact !== undefined) this.#exact[at] = from.exact?.[row]
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
