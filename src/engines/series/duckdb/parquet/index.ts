import { NS_PER_DAY } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import { FileColumns, unreadable } from './file-columns.ts'
import type { FileSums } from './file-sums.ts'
import type { PageCache } from './page-cache.ts'
import { type RowRange, TagRanges } from './tag-ranges.ts'
import type { Text } from './texts.ts'

export { PageCache } from './page-cache.ts'
export type { RowRange } from './tag-ranges.ts'

/** In a longer range, times are probed at this distance before those between are read. */
const STEP_ROWS = 4096

/** Arrays to read into instead of new ones, long enough for the range. */
export interface Target {
  readonly ns: Float64Array
  readonly values: Float64Array
}

/**
 * A sealed file: the points of one source on one day, sorted by tag and time. Reads the Parquet that DuckDB writes
 * for such files, and refuses anything else with a `SeriesError`. All calls block.
 */
export class SealedFile {
  readonly path: string
  readonly day: number
  readonly rowCount: number
  readonly #columns: FileColumns
  #ranges: TagRanges | undefined

  private constructor(columns: FileColumns, day: number) {
    this.path = columns.path
    this.day = day
    this.rowCount = columns.footer.rowCount
    this.#columns = columns
  }

  /** Without checksums, as in files of older versions, it is read unchecked. */
  static open(path: string, day: number, cache: PageCache, sums?: FileSums): SealedFile {
    return new SealedFile(FileColumns.open({ path, day, cache, sums }), day)
  }

  close(): void {
    this.#columns.close()
  }

  /** The tags in the order of the file, and the first row of each; the last entry of `rows` is the number of rows. */
  tags(): { readonly ids: Int32Array; readonly rows: Int32Array } {
    return this.#tagRanges()
  }

  /** The rows of a tag. */
  rangeOf(id: number): RowRange | undefined {
    return this.#tagRanges().of(id)
  }

  /** How many points of a tag are from `fromNs` until before `toNs`, nanoseconds into the day. */
  count(id: number, fromNs: number, toNs: number): number {
    const range = this.rangeOf(id)
    if (range === undefined) return 0
    if (fromNs <= 0 && toNs >= NS_PER_DAY) return range.count
    const timeAt = this.#columns.pick('time', range.row, range.count)
    if (timeAt === undefined) return this.readBetween(range, fromNs, toNs).length
    return this.#columns.reading('time', () => {
      const first = firstFrom(timeAt, fromNs, 0, range.count, 0)
      return firstFrom(timeAt, toNs, first, range.count, 0) - first
    })
  }

  /** The first and the last time of the rows of a tag. */
  endsOf({ row, count }: RowRange): { readonly firstNs: number; readonly lastNs: number } {
    const timeAt = this.#columns.pick('time', row, count)
    if (timeAt !== undefined) {
      return this.#columns.reading('time', () => ({ firstNs: timeAt(0), lastNs: timeAt(count - 1) }))
    }
    const ends = new Float64Array(2)
    this.#columns.fillNumbers('time', ends.subarray(0, 1), row, 1)
    this.#columns.fillNumbers('time', ends.subarray(1), row + count - 1, 1)
    return { firstNs: ends[0] as number, lastNs: ends[1] as number }
  }

  /** Rows of one tag, sorted by time. Exact values of all types are texts. */
  read({ row, count }: RowRange, into?: Target): Segment {
    return this.#segment(row, this.#times(row, count, into), into)
  }

  /** The rows of one tag from `fromNs` until before `toNs`, nanoseconds into the day. */
  readBetween({ row, count }: RowRange, fromNs: number, toNs: number, into?: Target): Segment {
    let first = 0
    let end = count
    if (count > STEP_ROWS * 2) {
      const time = new Float64Array(1)
      for (let next = STEP_ROWS; next < end; next += STEP_ROWS) {
        this.#columns.fillNumbers('time', time, row + next, 1)
        if ((time[0] as number) < fromNs) first = next
        else if ((time[0] as number) >= toNs) end = next
      }
    }
    const times = this.#times(row + first, end - first, into)
    const from = lowerBound(times, fromNs)
    const to = Math.max(from, lowerBound(times, toNs))
    return this.#segment(row + first + from, times.subarray(from, to), into)
  }

  /**
   * The rows of one tag from the first edge until before the last. In place of its time each row has the edge before
   * it: enough to tell its bucket, and much less to read. Edges ascend, nanoseconds into the day. Undefined where
   * single times can't be read.
   */
  readBetweenEdges({ row, count }: RowRange, edges: Float64Array, into: Target): Segment | undefined {
    const timeAt = this.#columns.pick('time', row, count)
    if (timeAt === undefined) return undefined
    const first = this.#columns.reading('time', () => firstFrom(timeAt, edges[0] as number, 0, count, 0))
    const { ns } = into
    let from = first
    this.#columns.reading('time', () => {
      let width = 1
      for (let edge = 1; edge < edges.length && from < count; edge += 1) {
        const to = firstFrom(timeAt, edges[edge] as number, from, count, width)
        width = to - from
        ns.fill(edges[edge - 1] as number, from - first, to - first)
        from = to
      }
    })
    return this.#segment(row + first, ns.subarray(0, from - first), into)
  }

  #times(row: number, count: number, into: Target | undefined): Float64Array {
    const ns = into === undefined ? new Float64Array(count) : into.ns.subarray(0, count)
    this.#columns.fillNumbers('time', ns, row, count)
    let last = -1
    for (let i = 0; i < count; i += 1) {
      const time = ns[i] as number
      if (!(time > last)) throw unreadable(this.path, '', new Error('its times are not in order'))
      last = time
    }
    if (last >= NS_PER_DAY) throw unreadable(this.path, '', new Error('its times are not of the day'))
    return ns
  }

  #segment(row: number, ns: Float64Array, into: Target | undefined): Segment {
    const { length } = ns
    const values = into === undefined ? new Float64Array(length) : into.values.subarray(0, length)
    this.#columns.fillNumbers('value', values, row, length)
    return { day: this.day, length, ns, values, quality: this.#quality(row, length), exact: this.#texts(row, length) }
  }

  #quality(row: number, count: number): Uint8Array | undefined {
    if (!this.#columns.hasAny('quality', row, count)) return undefined
    const numbers = new Float64Array(count)
    this.#columns.fillNumbers('quality', numbers, row, count)
    // A missing quality (NaN) becomes 0, which means good.
    const quality = Uint8Array.from(numbers)
    return quality.some((each) => each !== 0) ? quality : undefined
  }

  #texts(row: number, count: number): Text[] | undefined {
    if (!this.#columns.hasAny('text', row, count)) return undefined
    const texts = new Array<Text>(count).fill(undefined)
    this.#columns.fillTexts(texts, row, count)
    return texts.some((text) => text !== undefined) ? texts : undefined
  }

  #tagRanges(): TagRanges {
    this.#ranges ??= this.#columns.reading('id', () => TagRanges.of((each) => this.#columns.visitNumbers('id', each)))
    return this.#ranges
  }
}

function lowerBound(times: Float64Array, ns: number): number {
  let from = 0
  let to = times.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((times[middle] as number) < ns) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * The first row from `from` on whose time is not before `ns`. Most series are regular: the search begins where the
 * row would be if this bucket had as many rows as the last one, and widens from there.
 */
function firstFrom(timeAt: (row: number) => number, ns: number, from: number, count: number, width: number): number {
  const guess = from + width
  if (guess > from && guess < count && timeAt(guess - 1) < ns && timeAt(guess) >= ns) return guess
  let low = from
  let step = 1
  while (low + step < count && timeAt(low + step) < ns) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, count)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeAt(middle) < ns) low = middle + 1
    else high = middle
  }
  return low
}
