import type { SourceStats, Tag, TagList, TagPage, TagType } from '../../index.ts'
import type { PointBatch } from '../../parse/points.ts'
import type { Replaced } from '../sealer/tasks.ts'
import type { RetiredTag, TagRecord } from './log-records.ts'
import { byUtf8, Source } from './sources.ts'
import { lastValueOf, type TagStats, TagTable } from './tag-table.ts'

/** All sources with their tags. */
export class Registry {
  readonly table = new TagTable()
  readonly cutoffs = new Map<string, bigint>()
  /** Deleted tags, by source, of which files may still hold points. */
  readonly retired = new Map<string, Set<number>>()
  readonly #sources = new Map<string, Source>()
  /** Sources whose first or last time may have been that of a deleted tag: they are computed again when asked for. */
  readonly #unsure = new Set<string>()
  readonly #onNew: (tag: TagRecord) => void

  constructor(onNew: (tag: TagRecord) => void) {
    this.#onNew = onNew
  }

  find(sourceId: string): Source | undefined {
    return this.#sources.get(sourceId)
  }

  source(sourceId: string): Source {
    let source = this.#sources.get(sourceId)
    if (source === undefined) {
      source = new Source(sourceId, this.table, this.#onNew)
      this.#sources.set(sourceId, source)
    }
    return source
  }

  /** Undefined where there is no such tag. */
  typeOf(sourceId: string, name: string): TagType | undefined {
    const id = this.#sources.get(sourceId)?.find(name)
    return id === undefined ? undefined : this.table.get(id)?.type
  }

  add(tag: TagRecord, stats?: TagStats): void {
    this.table.add(tag)
    const source = this.source(tag.source)
    source.add(tag.name, tag.id)
    if (stats === undefined) return
    this.table.restore(tag.id, stats)
    source.count(stats.count, stats.firstNs, stats.lastNs)
  }

  /** Counts the points of a batch, which all belong to one source. */
  count(batch: PointBatch): void {
    const { firstNs, lastNs } = this.table.countPoints(batch)
    const tag = this.table.get(batch.tags[0] as number)
    if (tag !== undefined) this.source(tag.source).count(batch.length, firstNs, lastNs)
  }

  /** Subtracts points that turned out to replace others, or that are gone. */
  uncount(points: Replaced): void {
    for (const [id, count] of points) {
      this.table.uncount(id, count)
      const source = this.#sources.get(this.table.get(id)?.source ?? '')
      if (source !== undefined) source.points -= count
    }
  }

  drop(sourceId: string): void {
    for (const id of this.#sources.get(sourceId)?.ids() ?? []) this.table.remove(id)
    this.#sources.delete(sourceId)
    this.#unsure.delete(sourceId)
    this.cutoffs.delete(sourceId)
    this.retired.delete(sourceId)
  }

  /** Deletes a tag. The next point of its name makes a new one. */
  retire({ id, source: sourceId }: RetiredTag): void {
    const tag = this.table.get(id)
    if (tag === undefined) return // dropped with its source
    this.#sources.get(sourceId)?.remove(tag.name, this.table.stats(id)?.count ?? 0)
    this.table.remove(id)
    this.#unsure.add(sourceId)
    this.addRetired({ id, source: sourceId })
  }

  addRetired({ id, source }: RetiredTag): void {
    const ids = this.retired.get(source)
    if (ids === undefined) this.retired.set(source, new Set([id]))
    else ids.add(id)
  }

  /** Forgets deleted tags of which no file holds points any more. */
  forgetRetired(source: string, ids: Iterable<number>): void {
    const known = this.retired.get(source)
    for (const id of ids) known?.delete(id)
    if (known?.size === 0) this.retired.delete(source)
  }

  list(sourceId: string, { q, after, limit }: TagPage): TagList {
    const source = this.#sources.get(sourceId)
    const wanted = q?.toLowerCase()
    const tags: Tag[] = []
    let total = 0
    for (const name of source?.names() ?? []) {
      if (wanted !== undefined && !name.toLowerCase().includes(wanted)) continue
      const id = (source as Source).find(name) as number
      const stats = this.#statsOf(id, sourceId)
      if (stats === undefined) continue // the tag has no points
      total++
      if (tags.length < limit && (after === undefined || byUtf8(name, after) > 0)) {
        tags.push(describe(this.table.get(id) as TagRecord, stats))
      }
    }
    return { tags, total }
  }

  stats(sourceId: string): SourceStats | undefined {
    const source = this.#sources.get(sourceId)
    if (source === undefined || source.points <= 0) return undefined
    if (this.#unsure.delete(sourceId)) Object.assign(source, this.table.times(source.ids()))
    const { size: tagCount, points: pointCount, firstNs, lastNs } = source
    const cutoff = this.cutoffs.get(sourceId)
    const isCut = cutoff !== undefined && firstNs < cutoff
    return { tagCount, pointCount, firstNs: isCut ? cutoff : firstNs, lastNs }
  }

  /** The statistics of a tag, limited to what the retention leaves. */
  #statsOf(id: number, sourceId: string): TagStats | undefined {
    const stats = this.table.stats(id)
    const cutoff = this.cutoffs.get(sourceId)
    if (stats === undefined || cutoff === undefined || stats.firstNs >= cutoff) return stats
    return stats.lastNs < cutoff ? undefined : { ...stats, firstNs: cutoff }
  }
}

function describe({ name, type, labels }: TagRecord, stats: TagStats): Tag {
  return {
    name,
    type,
    labels,
    firstNs: stats.firstNs,
    lastNs: stats.lastNs,
    lastValue: lastValueOf(type, stats),
    pointCount: stats.count
  }
}
