import type { StreamEntry } from '../entry.ts'
import { memberOf, type Scope } from '../template/template.ts'
import { keysOf } from './columns.ts'
import { shifted } from './durations.ts'
import { compared, markIn } from './marks.ts'
import { hashOf, type Position } from './position.ts'
import type { JsonRecord } from './records.ts'
import type { Mark, Slice } from './slices.ts'
import { parseTime, printTime } from './times.ts'

/** Records of the greatest value that are remembered; a position holds no more. */
const MAX_HIGH = 1200
/** Records whose time has not come that are remembered. */
const MAX_LATER = 80
/** What two slices may both have, in memory; a position holds fewer. */
const MAX_AHEAD = 50_000

/** Tells which records are new: services give some again, because one asks them "since" and not "after". */
export class Sift {
  readonly #stream: StreamEntry
  readonly #isIncremental: boolean
  readonly #max: Mark | undefined
  /** From here on records are taken; before `max` where some are read again. */
  readonly #least: Mark | undefined
  readonly #seen: ReadonlySet<string>
  #high: Mark | undefined
  #highSeen: string[]
  /** The others with the greatest value, which are hashed only when somebody asks. */
  #highRecords: { readonly record: JsonRecord; readonly parent: Scope }[] = []
  /** What the slice before has given that this one may give again, and what this one has given of the next. */
  #before: ReadonlySet<string>
  #ahead: Set<string>
  #slice: Slice | undefined
  #hasUnmarked = false
  readonly #endMs: number
  readonly #laterBefore: ReadonlySet<string>
  readonly #later: Set<string>

  /** `isIncremental`: whether what was read before is left out. */
  constructor(stream: StreamEntry, { max, seen, later, run }: Position, isIncremental: boolean, endMs: number) {
    this.#stream = stream
    this.#isIncremental = isIncremental
    this.#max = isIncremental ? max : undefined
    this.#least = leastOf(this.#max, stream.cursor?.back)
    this.#seen = new Set(isIncremental ? seen : [])
    this.#high = run?.high
    this.#highSeen = [...(run?.highSeen ?? [])]
    // It is not known which of them the slice that is under way has given itself: the next one may give those again.
    this.#before = new Set(run?.overlap)
    this.#ahead = new Set(run?.overlap)
    this.#endMs = endMs
    this.#laterBefore = new Set(isIncremental ? later : [])
    this.#later = new Set(run?.later)
  }

  /** The greatest value there was, and who had it. */
  get high(): { readonly mark: Mark | undefined; readonly seen: readonly string[] } {
    for (const { record, parent } of this.#highRecords.splice(0)) this.#highSeen.push(this.#hash(record, parent))
    return { mark: this.#high, seen: this.#highSeen }
  }

  /** Records whose time has not come yet: one of them must not keep all others from being new. */
  get later(): string[] {
    return [...this.#later]
  }

  get overlap(): string[] {
    return [...this.#before.union(this.#ahead)]
  }

  /** Whether there were records, and none of them had a value to go on by. */
  get isUnmarked(): boolean {
    return this.#hasUnmarked && this.#high === undefined
  }

  /** To be said before the records of a page. */
  enter(slice: Slice): void {
    if (this.#slice !== undefined && this.#slice.from?.at !== slice.from?.at) {
      this.#before = this.#ahead
      this.#ahead = new Set()
    }
    this.#slice = slice
  }

  /** `isStranger`: whether nothing of its parent was read before. */
  isNew(record: JsonRecord, parent: Scope, isStranger = false): boolean {
    const { cursor } = this.#stream
    if (cursor === undefined) return true
    const mark = markIn(record, cursor)
    if (mark === undefined) {
      this.#hasUnmarked = true
      return this.#max === undefined || cursor.since !== undefined
    }
    const order = this.#least === undefined || isStranger ? undefined : compared(mark, this.#least)
    if (order !== undefined && order < 0) return false
    if (this.#isLater(mark, record, parent)) return false
    const isAhead = this.#isAhead(mark)
    const hash = isAhead || this.#mayBeKnown(mark) ? this.#hash(record, parent) : undefined
    if (hash !== undefined && (this.#seen.has(hash) || this.#before.has(hash))) return false
    if (hash !== undefined && isAhead && this.#ahead.size < MAX_AHEAD) this.#ahead.add(hash)
    if (this.#isIncremental) this.#noteHigh(mark, record, parent)
    return true
  }

  /** Whether it was read before its time had come. */
  #isLater(mark: Mark, record: JsonRecord, parent: Scope): boolean {
    if (!this.#isIncremental || !mark.isTime) return false
    const isAhead = mark.at > this.#endMs
    if (!isAhead && this.#laterBefore.size === 0) return false
    const hash = this.#hash(record, parent)
    const isKnown = this.#laterBefore.has(hash)
    if (isAhead && this.#later.size < MAX_LATER) this.#later.add(hash)
    else if (isKnown) this.#noteHigh(mark, record, parent)
    return isKnown
  }

  #mayBeKnown(mark: Mark): boolean {
    const isAtMax = this.#max !== undefined && compared(mark, this.#max) === 0
    return isAtMax || this.#before.size > 0
  }

  #noteHigh(mark: Mark, record: JsonRecord, parent: Scope): void {
    if (mark.isTime && mark.at > this.#endMs) return
    const order = this.#high === undefined ? 1 : (compared(mark, this.#high) ?? 1)
    if (order < 0) return
    if (order > 0) {
      this.#high = mark
      this.#highSeen = []
      this.#highRecords = []
    }
    if (this.#highSeen.length + this.#highRecords.length < MAX_HIGH) this.#highRecords.push({ record, parent })
  }

  /** Whether the next slice may have it too: it begins where this one ends, or earlier, as exactly as times are asked for. */
  #isAhead(mark: Mark): boolean {
    const slice = this.#slice
    if (slice === undefined || slice.isLast || !mark.isTime) return false
    const format = this.#stream.cursor?.since?.format ?? this.#stream.cursor?.format
    return mark.at >= (parseTime(printTime(slice.untilMs, format), format) ?? slice.untilMs)
  }

  /** By its key; where what is read again may have changed, by all of it. */
  #hash(record: JsonRecord, parent: Scope): string {
    const keys = keysOf(this.#stream)
    const values = keys.map((name) => memberOf(record, name.split('.')) ?? memberOf(parent, [name]))
    const isKnown = keys.length > 0 && values.every((value) => value !== undefined && value !== null)
    return hashOf([parent, isKnown && this.#stream.cursor?.back === undefined ? values : record])
  }
}

const leastOf = (max: Mark | undefined, back: string | undefined): Mark | undefined =>
  max?.isTime === true ? { at: shifted(max.at, back, -1), isTime: true } : max
