import type { TagType } from '../../index.ts'
import { NS_PER_DAY } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import type { SealedFact } from '../index-db.ts'
import { splitNs } from '../keeper/tag-table.ts'
import type { Slab } from '../memory/blocks.ts'
import { type Chain, chainAt } from '../memory/generation.ts'
import { mergeSegments, segmentOf } from '../memory/segments.ts'
import type { RowRange, SealedFile } from '../parquet/index.ts'
import type { Edges } from './edges.ts'
import type { Snapshot, SnapshotTag } from './messages.ts'
import type { OpenFiles } from './open-files.ts'

interface InMemory {
  readonly chain: Chain
  readonly slabs: readonly Slab[]
  readonly exact: ReadonlyMap<number, string | bigint>
}

/** The points of a snapshot, tag by tag and day by day, wherever they are. */
export class TagDays {
  readonly #files: OpenFiles
  readonly #fromDay: number
  readonly #fromNs: number
  readonly #toDay: number
  readonly #toNs: number
  readonly #byDay: ReadonlyMap<number, readonly SealedFact[]>
  readonly #inMemory = new Map<number, InMemory[]>()

  constructor(
    snapshot: Snapshot,
    range: { readonly fromNs: bigint; readonly toNs: bigint },
    slabsOf: (generation: number) => readonly Slab[],
    files: OpenFiles
  ) {
    this.#files = files
    const from = splitNs(range.fromNs)
    const to = splitNs(range.toNs)
    this.#fromDay = from.day
    this.#fromNs = from.ns
    this.#toDay = to.day
    this.#toNs = to.ns
    this.#byDay = Map.groupBy(snapshot.files, ({ day }) => day)
    for (const { number, chains, exact } of snapshot.generations) {
      const slabs = slabsOf(number)
      for (let index = 0; index < chains.length; index++) {
        const chain = chainAt(chains, index)
        const known = this.#inMemory.get(chain.tag)
        if (known === undefined) this.#inMemory.set(chain.tag, [{ chain, slabs, exact }])
        else known.push({ chain, slabs, exact })
      }
    }
  }

  /**
   * In the order of days, one segment for each day that has any. It may hold points outside the range. With edges, the
   * times of its points may be only near enough to tell what lies between two of them.
   */
  *of(tag: SnapshotTag, edges: Edges | undefined): Iterable<Segment> {
    const inMemory = this.#inMemory.get(tag.id) ?? []
    const days = inMemory.length === 0 ? this.#byDay.keys() : this.#daysWith(inMemory)
    for (const day of days) {
      const isAlone = this.#byDay.get(day)?.length === 1 && !inMemory.some(({ chain }) => chain.day === day)
      const segments = this.#inFiles(day, tag, isAlone ? edges : undefined)
      for (const { chain, slabs, exact } of inMemory) {
        if (chain.day === day) segments.push(segmentOf(slabs, chain, exact))
      }
      if (segments.length > 0) yield mergeSegments(segments)
    }
  }

  #daysWith(inMemory: readonly InMemory[]): number[] {
    const days = new Set([...this.#byDay.keys(), ...inMemory.map(({ chain }) => chain.day)])
    return [...days].sort((a, b) => a - b)
  }

  #inFiles(day: number, { id, type }: SnapshotTag, edges: Edges | undefined): Segment[] {
    const segments: Segment[] = []
    for (const fact of this.#byDay.get(day) ?? []) {
      const file = this.#files.get(fact)
      const range = file.rangeOf(id)
      if (range === undefined) continue
      const fromNs = day === this.#fromDay ? this.#fromNs : 0
      const toNs = day === this.#toDay ? this.#toNs : NS_PER_DAY
      const segment = readEdges(file, range, edges?.ofDay(day)) ?? file.readBetween(range, fromNs, toNs)
      if (segment.length > 0) segments.push(withExact(segment, type))
    }
    return segments
  }
}

/** Looking for an edge costs more than reading some points: where buckets have few, all times are read. */
const MIN_POINTS_PER_EDGE = 16

function readEdges(file: SealedFile, range: RowRange, edges: Float64Array | undefined): Segment | undefined {
  if (edges === undefined || edges.length * MIN_POINTS_PER_EDGE > range.count) return undefined
  return file.readBetweenEdges(range, edges)
}

/** Files have whole numbers that a double can't hold as their digits. */
function withExact(segment: Segment, type: TagType | undefined): Segment {
  if (segment.exact === undefined || type === 'string') return segment
  return {
    ...segment,
    exact: segment.exact.map((digits) => (digits === undefined ? undefined : BigInt(digits)))
  }
}
