import { SeriesError } from '../../errors.ts'
import type { TagType } from '../../index.ts'
import { NS_PER_DAY } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import type { SealedFact } from '../index-db.ts'
import { splitNs } from '../keeper/tag-table.ts'
import { dayName } from '../layout.ts'
import type { Slab } from '../memory/blocks.ts'
import { type Chain, chainAt } from '../memory/generation.ts'
import { cut, segmentOf } from '../memory/segments.ts'
import type { RowRange, SealedFile } from '../parquet/index.ts'
import type { Edges } from './edges.ts'
import type { Snapshot, SnapshotTag } from './messages.ts'
import type { OpenFiles } from './open-files.ts'
import { clip, inOrder, type Piece, pieceOf } from './pieces.ts'

/** Finding an edge costs more than reading some points: where buckets have few points, all times are read. */
const MIN_POINTS_PER_EDGE = 16

interface InMemory {
  readonly chain: Chain
  readonly slabs: readonly Slab[]
  readonly exact: ReadonlyMap<number, string | bigint>
}

/** For a piece that is alone in its day no closer limits are needed. */
const WHOLE_DAY = { firstNs: 0, lastNs: NS_PER_DAY }

/** The points of a snapshot, tag by tag and day by day, from files and memory. */
export class TagDays {
  readonly #files: OpenFiles
  readonly #fromDay: number
  readonly #fromNs: number
  readonly #toDay: number
  readonly #toNs: number
  readonly #byDay: ReadonlyMap<number, readonly SealedFact[]>
  readonly #inMemory = new Map<number, InMemory[]>()
  /** Buffers for segments that need no merging; they are overwritten when the next segment is asked for. */
  #scratch = { ns: new Float64Array(0), values: new Float64Array(0) }

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
   * The segments of a tag, day by day and sorted by time; they may hold points outside the range. With edges, the
   * times of points may be approximate, but always between the right two edges.
   */
  *of(tag: SnapshotTag, edges: Edges | undefined): Iterable<Segment> {
    const inMemory = this.#inMemory.get(tag.id) ?? []
    const days = inMemory.length === 0 ? this.#byDay.keys() : this.#daysWith(inMemory)
    for (const day of days) {
      const chains = this.#inChains(day, inMemory)
      const pieces = [...this.#inFiles(day, tag, chains.length === 0), ...chains]
      if (pieces.length > 0) yield* inOrder(pieces, edges?.ofDay(day))
    }
  }

  /** How many points a tag has in the range; a replaced point and the one that replaces it both count. */
  count(tag: SnapshotTag): number {
    const inMemory = this.#inMemory.get(tag.id) ?? []
    const days = inMemory.length === 0 ? this.#byDay.keys() : this.#daysWith(inMemory)
    let points = 0
    for (const day of days) {
      const fromNs = day === this.#fromDay ? this.#fromNs : 0
      const toNs = day === this.#toDay ? this.#toNs : NS_PER_DAY
      for (const fact of this.#byDay.get(day) ?? []) {
        points += naming(fact, tag, () => this.#files.get(fact).count(tag.id, fromNs, toNs))
      }
      for (const { chain, slabs, exact } of inMemory) {
        if (chain.day === day) points += cut(segmentOf(slabs, chain, exact), fromNs, toNs).length
      }
    }
    return points
  }

  #daysWith(inMemory: readonly InMemory[]): number[] {
    const days = new Set([...this.#byDay.keys(), ...inMemory.map(({ chain }) => chain.day)])
    return [...days].sort((a, b) => a - b)
  }

  #inFiles(day: number, tag: SnapshotTag, isAlone: boolean): Piece[] {
    const facts = this.#byDay.get(day) ?? []
    return facts.flatMap((fact) => naming(fact, tag, () => this.#inFile(fact, tag, isAlone && facts.length === 1)))
  }

  #inFile(fact: SealedFact, tag: SnapshotTag, isAlone: boolean): Piece[] {
    const { day } = fact
    const file = this.#files.get(fact)
    const range = file.rangeOf(tag.id)
    if (range === undefined) return []
    const ends = isAlone ? WHOLE_DAY : file.endsOf(range)
    const read: Piece['read'] = (fromNs, toNs, edges) =>
      naming(fact, tag, () => withExact(this.#read(file, range, { day, fromNs, toNs, edges }), tag.type))
    return [{ ...ends, read }]
  }

  #inChains(day: number, inMemory: readonly InMemory[]): Piece[] {
    const chains = inMemory.filter(({ chain }) => chain.day === day)
    return chains.map(({ chain, slabs, exact }) => pieceOf(segmentOf(slabs, chain, exact)))
  }

  #read(file: SealedFile, range: RowRange, { day, fromNs, toNs, edges }: Wanted): Segment {
    const wanted = edges === undefined ? undefined : clip(edges, fromNs, toNs)
    if (wanted !== undefined && wanted.length * MIN_POINTS_PER_EDGE <= range.count) {
      if (this.#scratch.ns.length < range.count) {
        this.#scratch = { ns: new Float64Array(range.count * 2), values: new Float64Array(range.count * 2) }
      }
      const segment = file.readBetweenEdges(range, wanted, this.#scratch)
      if (segment !== undefined) return segment
    }
    const from = day === this.#fromDay ? Math.max(this.#fromNs, fromNs) : fromNs
    const to = day === this.#toDay ? Math.min(this.#toNs, toNs) : toNs
    return file.readBetween(range, from, to)
  }
}

interface Wanted {
  readonly day: number
  readonly fromNs: number
  readonly toNs: number
  readonly edges: Float64Array | undefined
}

/** Adds the names of the tag and the file to an error about damage, for the caller. */
function naming<T>({ path, day, source }: SealedFact, { name }: SnapshotTag, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SeriesError && error.code === 'damaged')) throw error
    throw new SeriesError('damaged', error.message, { file: path, day: dayName(day), source, tag: name }, error)
  }
}

/** Turns digits from files into bigints, for whole numbers that a double can't hold. */
function withExact(segment: Segment, type: TagType | undefined): Segment {
  if (segment.exact === undefined || type === 'string') return segment
  return {
    ...segment,
    exact: segment.exact.map((digits) => (digits === undefined ? undefined : BigInt(digits)))
  }
}
