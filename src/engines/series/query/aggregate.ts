import type { TagType } from '../index.ts'
import { Bounds, placeOf } from './bounds.ts'
import { BucketSpans } from './bucket-spans.ts'
import { BucketValues } from './bucket-values.ts'
import { bucketStarts } from './buckets.ts'
import { checkFunctions } from './functions.ts'
import { grown } from './measures/measure.ts'
import { MS_PER_DAY, NS_PER_MS } from './ns.ts'
import { pickRows } from './pick-rows.ts'
import type { BucketPlan, Query } from './plan.ts'
import type { TagRows } from './rows.ts'
import type { Segment } from './segment.ts'

/** How many rows back a bucket can be that goes on after others began: see `BucketSpans`. */
const ROWS_BACK = 3

/**
 * Puts the points of one tag into buckets. Points of any quality count; booleans count as 1 and 0. Computes only what
 * was asked for, and keeps nothing of a segment.
 */
export class TagAggregator {
  readonly #tag: string
  readonly #type: TagType
  readonly #plan: BucketPlan
  readonly #query: Pick<Query, 'functions'>
  readonly #bounds: Bounds
  readonly #spans: BucketSpans
  readonly #values: BucketValues
  #rows = 0
  #indexes = new Float64Array(0)
  #counts = new Float64Array(0)
  /** Points that are not good. */
  #poor = new Float64Array(0)
  #anyPoor = false
  #greatestIndex = Number.NEGATIVE_INFINITY
  #inOrder = true
  #pointsRead = 0

  /** Throws `function_not_applicable`. */
  constructor(query: Pick<Query, 'functions' | 'fromNs' | 'toNs'>, plan: BucketPlan, tag: string, type: TagType) {
    checkFunctions(tag, type, query.functions)
    this.#tag = tag
    this.#type = type
    this.#plan = plan
    this.#query = query
    this.#bounds = Bounds.of(query)
    this.#spans = new BucketSpans(plan)
    this.#values = new BucketValues(query.functions)
  }

  /** Segments come in the order of their days, one per day. Points outside the range are left out. */
  add(segment: Segment): void {
    const dayMs = segment.day * MS_PER_DAY
    const end = this.#bounds.end(segment)
    let at = this.#bounds.first(segment)
    while (at < end) {
      const ms = dayMs + Math.floor((segment.ns[at] as number) / NS_PER_MS)
      if (ms >= this.#spans.endMs) this.#spans.seek(ms)
      const runEnd = placeOf(segment.ns, at, end, (this.#spans.endMs - dayMs) * NS_PER_MS)
      this.#addRun(segment, at, runEnd)
      at = runEnd
    }
  }

  finish(): TagRows {
    const counts = this.#counts.subarray(0, this.#rows)
    const rows: TagRows = {
      tag: this.#tag,
      type: this.#type,
      length: this.#rows,
      ms: bucketStarts(this.#plan, this.#indexes.subarray(0, this.#rows)),
      subMsNs: undefined,
      columns: this.#query.functions.map((name) => this.#values.column(name, counts)),
      exact: this.#query.functions.map((name) => this.#values.exact(name)),
      counts,
      quality: undefined,
      percentGood: this.#anyPoor
        ? counts.map((count, row) => (100 * (count - (this.#poor[row] as number))) / count)
        : undefined,
      pointsRead: this.#pointsRead
    }
    return this.#inOrder ? rows : pickRows(rows, this.#order())
  }

  #addRun(segment: Segment, from: number, to: number): void {
    const row = this.#rowOf(this.#spans.index)
    const known = this.#counts[row] as number
    const { measures } = this.#values
    for (let at = 0; at < measures.length; at++) measures[at]?.add(row, known, segment, from, to)
    this.#counts[row] = known + to - from
    this.#pointsRead += to - from
    if (segment.quality !== undefined) this.#addQuality(row, segment.quality, from, to)
  }

  #addQuality(row: number, quality: Uint8Array, from: number, to: number): void {
    let poor = 0
    for (let at = from; at < to; at++) if (quality[at] !== 0) poor++
    if (poor === 0) return
    this.#anyPoor = true
    this.#poor[row] = (this.#poor[row] as number) + poor
  }

  #rowOf(index: number): number {
    if (index <= this.#greatestIndex) {
      const newest = this.#rows - 1
      for (let row = newest; row >= 0 && row > newest - ROWS_BACK; row--) if (this.#indexes[row] === index) return row
      this.#inOrder = false
    } else this.#greatestIndex = index
    if (this.#rows === this.#indexes.length) this.#reserve(Math.max(16, 2 * this.#rows))
    this.#indexes[this.#rows] = index
    return this.#rows++
  }

  #reserve(rows: number): void {
    this.#indexes = grown(this.#indexes, rows)
    this.#counts = grown(this.#counts, rows)
    this.#poor = grown(this.#poor, rows)
    for (const measure of this.#values.measures) measure.reserve(rows)
  }

  #order(): Int32Array {
    const places = Int32Array.from({ length: this.#rows }, (_, row) => row)
    return places.sort((a, b) => (this.#indexes[a] as number) - (this.#indexes[b] as number))
  }
}
