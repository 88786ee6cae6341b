import type { TagType } from '../index.ts'
import type { TagRows } from '../query/rows.ts'

/** The columns of the rows of a statement. */
export interface RowShape {
  readonly isRaw: boolean
  readonly columnCount: number
  /** Which of the columns have a text beside them; empty where no tag needs one. */
  readonly textColumns: readonly number[]
}

type Exact = (string | bigint | undefined)[]

/** Collects the rows of one tag. */
export class TagRowsBuilder {
  readonly #tag: string
  readonly #type: TagType
  readonly #isWhole: boolean
  readonly #shape: RowShape
  #length = 0
  #ms = new Float64Array(64)
  #subMsNs = new Uint32Array(64)
  #columns: Float64Array[]
  readonly #exact: (Exact | undefined)[]
  #counts = new Float64Array(64)
  /** The quality of points, or the number of good points of buckets. */
  #marks = new Float64Array(64)
  #hasSubMs = false
  #isAllGood = true
  #pointsRead = 0

  constructor(tag: string, type: TagType, shape: RowShape) {
    this.#tag = tag
    this.#type = type
    this.#isWhole = type === 'integer' || type === 'unsigned'
    this.#shape = shape
    this.#columns = Array.from({ length: shape.columnCount }, () => new Float64Array(64))
    this.#exact = Array.from({ length: shape.columnCount }, () => undefined)
  }

  addPoint(ms: number, subMsNs: number, quality: number, value: number, text: string): void {
    this.#makeRoom()
    this.#subMsNs[this.#length] = subMsNs
    if (subMsNs !== 0) this.#hasSubMs = true
    if (quality !== 0) this.#isAllGood = false
    this.#add(ms, 1, quality)
    this.#put(0, value, text)
    this.#length++
  }

  addBucket(startMs: number, count: number, good: number, values: ArrayLike<number>, texts: readonly string[]): void {
    this.#makeRoom()
    if (good !== count) this.#isAllGood = false
    this.#add(startMs, count, good)
    for (let i = 0; i < values.length; i++) {
      this.#put(i, values[i] as number, texts[this.#shape.textColumns.indexOf(i)] ?? '')
    }
    this.#length++
  }

  finish(): TagRows {
    const length = this.#length
    const { isRaw } = this.#shape
    const counts = this.#counts.subarray(0, length)
    const marks = this.#marks.subarray(0, length)
    return {
      tag: this.#tag,
      type: this.#type,
      length,
      ms: this.#ms.subarray(0, length),
      subMsNs: this.#hasSubMs ? this.#subMsNs.subarray(0, length) : undefined,
      columns: this.#columns.map((column) => column.subarray(0, length)),
      exact: this.#exact,
      counts: isRaw ? undefined : counts,
      quality: isRaw && !this.#isAllGood ? Uint8Array.from(marks) : undefined,
      percentGood: isRaw || this.#isAllGood ? undefined : marks.map((good, i) => (100 * good) / (counts[i] as number)),
      pointsRead: this.#pointsRead
    }
  }

  #add(ms: number, count: number, mark: number): void {
    this.#ms[this.#length] = ms
    this.#counts[this.#length] = count
    this.#marks[this.#length] = mark
    this.#pointsRead += count
  }

  #put(column: number, value: number, text: string): void {
    ;(this.#columns[column] as Float64Array)[this.#length] = value
    if (!this.#shape.textColumns.includes(column)) return
    const exact = this.#exactOf(value, text)
    if (exact === undefined && this.#exact[column] === undefined) return
    this.#exact[column] ??= Array.from({ length: this.#length }, () => undefined)
    ;(this.#exact[column] as Exact)[this.#length] = exact
  }

  /**
   * The exact value. Only texts may be empty. A power of two, say, fits a double, but the double's shortest digits
   * differ.
   */
  #exactOf(value: number, text: string): string | bigint | undefined {
    if (this.#type === 'string') return text
    if (text !== '') return BigInt(text)
    return this.#isWhole && !Number.isSafeInteger(value) ? BigInt(value) : undefined
  }

  #makeRoom(): void {
    if (this.#length < this.#ms.length) return
    const doubled = <T extends Float64Array | Uint32Array>(from: T, to: T): T => {
      to.set(from as never)
      return to
    }
    const size = this.#length * 2
    this.#ms = doubled(this.#ms, new Float64Array(size))
    this.#subMsNs = doubled(this.#subMsNs, new Uint32Array(size))
    this.#counts = doubled(this.#counts, new Float64Array(size))
    this.#marks = doubled(this.#marks, new Float64Array(size))
    this.#columns = this.#columns.map((column) => doubled(column, new Float64Array(size)))
  }
}

/** The rows of a tag without any points. */
export function emptyRows(tag: string, type: TagType | undefined, { isRaw, columnCount }: RowShape): TagRows {
  return {
    tag,
    type,
    length: 0,
    ms: new Float64Array(0),
    subMsNs: undefined,
    columns: Array.from({ length: columnCount }, () => new Float64Array(0)),
    exact: Array.from({ length: columnCount }, () => undefined),
    counts: isRaw ? undefined : new Float64Array(0),
    quality: undefined,
    percentGood: undefined,
    pointsRead: 0
  }
}
