import { splitDay } from './ns.ts'
import type { Query } from './plan.ts'
import type { Segment } from './segment.ts'

type Range = Pick<Query, 'fromNs' | 'toNs'>

/** The range of a query, to cut segments to it. */
export class Bounds {
  readonly #from: { readonly day: number; readonly ns: number }
  readonly #to: { readonly day: number; readonly ns: number }

  private constructor(query: Range) {
    this.#from = splitDay(query.fromNs)
    this.#to = splitDay(query.toNs)
  }

  /** Shared by all tags of a query, because bigints are slow. */
  static of(query: Range): Bounds {
    let bounds = known.get(query)
    if (bounds === undefined) {
      bounds = new Bounds(query)
      known.set(query, bounds)
    }
    return bounds
  }

  /** The index of the first point in the range. */
  first(segment: Segment): number {
    if (segment.day > this.#from.day) return 0
    return segment.day < this.#from.day ? segment.length : placeOf(segment.ns, 0, segment.length, this.#from.ns)
  }

  /** The index after the last point in the range. */
  end(segment: Segment): number {
    if (segment.day < this.#to.day) return segment.length
    return segment.day > this.#to.day ? 0 : placeOf(segment.ns, 0, segment.length, this.#to.ns)
  }
}

const known = new WeakMap<Range, Bounds>()

/**
 * The first index within `[from, to)` whose time is not before `ns`; `to` where there is none. Fast where it is near
 * `from`.
 */
export function placeOf(times: Float64Array, from: number, to: number, ns: number): number {
  let low = from
  let step = 1
  while (low + step < to && (times[low + step] as number) < ns) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, to)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < ns) low = middle + 1
    else high = middle
  }
  return low
}
