import type { Segment } from '../../query/segment.ts'
import type { IndexDb } from '../index-db.ts'
import { joinNs, type TagStats } from '../keeper/tag-table.ts'

/** Counts the points that go into files, by tag, for the index. */
export class Tally {
  readonly #stats = new Map<number, TagStats>()
  readonly replaced: [number, number][] = []

  add(tag: number, segment: Segment, written: number): void {
    if (written > segment.length) this.replaced.push([tag, written - segment.length])
    if (segment.length === 0) return
    const end = segment.length - 1
    const first = joinNs(segment.day, segment.ns[0] as number)
    const last = joinNs(segment.day, segment.ns[end] as number)
    const known = this.#stats.get(tag)
    const isLater = known === undefined || last >= known.lastNs
    this.#stats.set(tag, {
      count: (known?.count ?? 0) + segment.length,
      firstNs: known === undefined || first < known.firstNs ? first : known.firstNs,
      lastNs: isLater ? last : known.lastNs,
      lastValue: isLater ? (segment.values[end] as number) : known.lastValue,
      lastExact: isLater ? segment.exact?.[end] : known.lastExact
    })
  }

  save(index: IndexDb): void {
    for (const [tag, stats] of this.#stats) index.addStats(tag, stats)
  }
}
