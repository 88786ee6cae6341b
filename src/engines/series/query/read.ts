import type { TagType } from '../index.ts'
import { tooManyPoints } from './answer/limit.ts'
import { Bounds } from './bounds.ts'
import { MS_PER_DAY, NS_PER_MS } from './ns.ts'
import type { Query } from './plan.ts'
import type { TagRows } from './rows.ts'
import type { Segment } from './segment.ts'

/** Collects the points of one tag without aggregating them. */
export class TagReader {
  readonly #tag: string
  readonly #type: TagType
  readonly #bounds: Bounds
  readonly #limitPoints: number
  #length = 0
  #ms = new Float64Array(64)
  #values = new Float64Array(64)
  #subMsNs: Uint32Array | undefined
  #quality: Uint8Array | undefined
  #exact: (string | bigint | undefined)[] | undefined

  constructor(query: Pick<Query, 'fromNs' | 'toNs' | 'limitPoints'>, tag: string, type: TagType) {
    this.#tag = tag
    this.#type = type
    this.#bounds = Bounds.of(query)
    this.#limitPoints = query.limitPoints
  }

  /**
   * Segments come in the order of their days. Throws `too_many_points` where there are more than the answer may have.
   */
  add(segment: Segment): void {
    const from = this.#bounds.first(segment)
    const to = this.#bounds.end(segment)
    if (from >= to) return
    const length = this.#length + to - from
    if (length > this.#limitPoints) throw tooManyPoints(length, this.#limitPoints)
    this.#reserve(length)
    this.#values.set(segment.values.subarray(from, to), this.#length)
    this.#addTimes(segment, from, to)
    if (segment.quality !== undefined) {
      this.#quality ??= new Uint8Array(this.#ms.length)
      this.#quality.set(segment.quality.subarray(from, to), this.#length)
    }
    if (segment.exact !== undefined) {
      this.#exact ??= []
      for (let at = from; at < to; at++) this.#exact[this.#length + at - from] = segment.exact[at]
    }
    this.#length = length
  }

  finish(): TagRows {
    return {
      tag: this.#tag,
      type: this.#type,
      length: this.#length,
      ms: this.#ms.subarray(0, this.#length),
      subMsNs: this.#subMsNs?.subarray(0, this.#length),
      columns: [this.#values.subarray(0, this.#length)],
      exact: [this.#exact],
      counts: undefined,
      quality: this.#quality?.some((quality) => quality !== 0) ? this.#quality.subarray(0, this.#length) : undefined,
      percentGood: undefined,
      pointsRead: this.#length
    }
  }

  #addTimes(segment: Segment, from: number, to: number): void {
    const dayMs = segment.day * MS_PER_DAY
    const ms = this.#ms
    for (let at = from, row = this.#length; at < to; at++, row++) {
      const ns = segment.ns[at] as number
      const wholeMs = Math.floor(ns / NS_PER_MS)
      ms[row] = dayMs + wholeMs
      const beyond = ns - wholeMs * NS_PER_MS
      if (beyond !== 0) {
        this.#subMsNs ??= new Uint32Array(ms.length)
        this.#subMsNs[row] = beyond
      }
    }
  }

  #reserve(length: number): void {
    if (length <= this.#ms.length) return
    const size = Math.max(length, 2 * this.#ms.length)
    this.#ms = larger(this.#ms, new Float64Array(size))
    this.#values = larger(this.#values, new Float64Array(size))
    this.#subMsNs &&= larger(this.#subMsNs, new Uint32Array(size))
    this.#quality &&= larger(this.#quality, new Uint8Array(size))
  }
}

function larger<T extends Float64Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
