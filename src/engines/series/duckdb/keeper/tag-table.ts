import type { PointValue, TagType } from '../../index.ts'
import { NS_PER_DAY, type PointBatch } from '../../parse/points.ts'
import type { TagRecord } from './log-records.ts'

/** The statistics of a tag, known without reading its points. Times are in nanoseconds. */
export interface TagStats {
  readonly count: number
  readonly firstNs: bigint
  readonly lastNs: bigint
  readonly lastValue: number
  readonly lastExact: string | bigint | undefined
}

/** Every tag by its number, with statistics that each point updates. In columns, because a point must cost little. */
export class TagTable {
  readonly #records: (TagRecord | undefined)[] = []
  #count = new Float64Array(1024)
  #firstDay = new Int32Array(1024)
  #firstNs = new Float64Array(1024)
  #lastDay = new Int32Array(1024)
  #lastNs = new Float64Array(1024)
  #lastValue = new Float64Array(1024)
  readonly #lastExact = new Map<number, string | bigint>()

  get nextId(): number {
    return this.#records.length
  }

  /** Skips numbers that were given before, also to tags that are gone. */
  passBy(ids: number): void {
    if (this.#records.length < ids) this.#records.length = ids
  }

  /** How many tags there are. */
  size = 0

  add(tag: TagRecord): void {
    this.#reserve(tag.id)
    this.#records[tag.id] = tag
    this.size++
    this.#count[tag.id] = 0
    this.#firstDay[tag.id] = 0x7fffffff
    this.#lastDay[tag.id] = -0x80000000
  }

  remove(id: number): void {
    this.#records[id] = undefined
    this.size--
    this.#lastExact.delete(id)
  }

  get(id: number): TagRecord | undefined {
    return this.#records[id]
  }

  restore(id: number, stats: TagStats): void {
    const first = splitNs(stats.firstNs)
    const last = splitNs(stats.lastNs)
    this.#count[id] = stats.count
    this.#firstDay[id] = first.day
    this.#firstNs[id] = first.ns
    this.#lastDay[id] = last.day
    this.#lastNs[id] = last.ns
    this.#lastValue[id] = stats.lastValue
    if (stats.lastExact !== undefined) this.#lastExact.set(id, stats.lastExact)
  }

  /** Counts the points of a batch; answers the first and the last time among them. */
  countPoints({ length, tags, days, ns, values, exact }: PointBatch): { firstNs: bigint; lastNs: bigint } {
    let least = 0
    let greatest = 0
    for (let i = 0; i < length; i++) {
      const tag = tags[i] as number
      const day = days[i] as number
      const time = ns[i] as number
      this.#count[tag] = (this.#count[tag] as number) + 1
      const lastDay = this.#lastDay[tag] as number
      if (day > lastDay || (day === lastDay && time >= (this.#lastNs[tag] as number))) {
        this.#lastDay[tag] = day
        this.#lastNs[tag] = time
        this.#lastValue[tag] = values[i] as number
        if (exact.size > 0 || this.#lastExact.size > 0) this.#keepExact(tag, exact.get(i))
      }
      const firstDay = this.#firstDay[tag] as number
      if (day < firstDay || (day === firstDay && time < (this.#firstNs[tag] as number))) {
        this.#firstDay[tag] = day
        this.#firstNs[tag] = time
      }
      if (day < (days[least] as number) || (day === days[least] && time < (ns[least] as number))) least = i
      if (day > (days[greatest] as number) || (day === days[greatest] && time > (ns[greatest] as number))) greatest = i
    }
    return {
      firstNs: joinNs(days[least] as number, ns[least] as number),
      lastNs: joinNs(days[greatest] as number, ns[greatest] as number)
    }
  }

  /** Subtracts points that turned out to replace others, or that are gone. */
  uncount(id: number, points: number): void {
    this.#count[id] = Math.max(0, (this.#count[id] as number) - points)
  }

  /** Undefined for a tag without points. */
  stats(id: number): TagStats | undefined {
    if ((this.#count[id] as number) === 0) return undefined
    return {
      count: this.#count[id] as number,
      firstNs: joinNs(this.#firstDay[id] as number, this.#firstNs[id] as number),
      lastNs: joinNs(this.#lastDay[id] as number, this.#lastNs[id] as number),
      lastValue: this.#lastValue[id] as number,
      lastExact: this.#lastExact.get(id)
    }
  }

  /** The first and the last time of the points of these tags; at least one has points. */
  times(ids: Iterable<number>): { firstNs: bigint; lastNs: bigint } {
    let [firstDay, firstNs, lastDay, lastNs] = [Infinity, 0, -Infinity, 0]
    for (const id of ids) {
      if (this.#count[id] === 0) continue
      const [day, ns] = [this.#firstDay[id] as number, this.#firstNs[id] as number]
      if (day < firstDay || (day === firstDay && ns < firstNs)) {
        firstDay = day
        firstNs = ns
      }
      const [endDay, endNs] = [this.#lastDay[id] as number, this.#lastNs[id] as number]
      if (endDay > lastDay || (endDay === lastDay && endNs > lastNs)) {
        lastDay = endDay
        lastNs = endNs
      }
    }
    return { firstNs: joinNs(firstDay, firstNs), lastNs: joinNs(lastDay, lastNs) }
  }

  #keepExact(id: number, value: string | bigint | undefined): void {
    if (value === undefined) this.#lastExact.delete(id)
    else this.#lastExact.set(id, value)
  }

  #reserve(id: number): void {
    if (id < this.#count.length) return
    const size = Math.max(id + 1, this.#count.length * 2)
    const doubles = (from: Float64Array<ArrayBuffer>) => {
      const to = new Float64Array(size)
      to.set(from)
      return to
    }
    const integers = (from: Int32Array<ArrayBuffer>) => {
      const to = new Int32Array(size)
      to.set(from)
      return to
    }
    this.#count = doubles(this.#count)
    this.#firstDay = integers(this.#firstDay)
    this.#firstNs = doubles(this.#firstNs)
    this.#lastDay = integers(this.#lastDay)
    this.#lastNs = doubles(this.#lastNs)
    this.#lastValue = doubles(this.#lastValue)
  }
}

export const joinNs = (day: number, ns: number): bigint => BigInt(day) * BigInt(NS_PER_DAY) + BigInt(ns)

export function splitNs(time: bigint): { day: number; ns: number } {
  const perDay = BigInt(NS_PER_DAY)
  const ns = ((time % perDay) + perDay) % perDay
  return { day: Number((time - ns) / perDay), ns: Number(ns) }
}

/** The last value in the form of the tag's type. */
export function lastValueOf(type: TagType, { lastValue, lastExact }: TagStats): PointValue {
  if (lastExact !== undefined) return lastExact
  return type === 'boolean' ? lastValue === 1 : lastValue
}
