import type { Query } from '../../query/plan.ts'
import type { SealedFact } from '../index-db.ts'
import { readChain } from '../memory/blocks.ts'
import { type ChainColumns, chainAt, type Generation } from '../memory/generation.ts'
import type { Snapshot, SnapshotGeneration, SnapshotTag } from '../reader/messages.ts'
import type { InMemory } from '../sealer/tasks.ts'
import type { Keeper } from './keeper.ts'
import type { TagRecord } from './log-records.ts'
import type { Source } from './sources.ts'
import { splitNs } from './tag-table.ts'

const UNKNOWN = -1

/** The state for a query. Files and generations are held until they are released. */
export function takeSnapshot(keeper: Keeper, query: Query): Snapshot {
  const source = keeper.registry.find(query.sourceId)
  const tags = findTags(keeper, source, query.tags)
  const cutoffNs = keeper.registry.cutoffs.get(query.sourceId)
  const from = cutoffNs !== undefined && cutoffNs > query.fromNs ? cutoffNs : query.fromNs
  const fromDay = splitNs(from).day
  const toDay = splitNs(query.toNs - 1n).day
  const files = tags.length === 0 ? [] : keeper.files.between(query.sourceId, fromDay, toDay)
  keeper.files.hold(files.map(({ path }) => path))
  const generations = keeper.kept.flatMap(({ generation }) => chainsIn(generation, tags, fromDay, toDay) ?? [])
  keeper.held.hold(generations.map(({ number }) => number))
  return { tags, files, generations, cutoffNs }
}

function findTags(keeper: Keeper, source: Source | undefined, names: readonly string[] | undefined): SnapshotTag[] {
  return (names ?? source?.names() ?? []).map((name) => {
    const id = source?.find(name) ?? UNKNOWN
    return { id, name, type: id === UNKNOWN ? undefined : keeper.registry.table.get(id)?.type }
  })
}

function chainsIn(
  generation: Generation,
  tags: readonly SnapshotTag[],
  fromDay: number,
  toDay: number
): SnapshotGeneration | undefined {
  if (generation.points === 0) return undefined
  const wanted: number[] = []
  for (const { id } of tags) if (id !== UNKNOWN) generation.chainsOf(id, fromDay, toDay, wanted)
  if (wanted.length === 0) return undefined
  const chains = generation.columns(wanted)
  return { number: generation.number, chains, exact: exactOf(generation, chains) }
}

function exactOf(generation: Generation, chains: ChainColumns): Map<number, string | bigint> {
  const exact = new Map<number, string | bigint>()
  if (generation.exact.size === 0) return exact
  for (let index = 0; index < chains.length; index++) {
    const { firstBlock, count, hasExact } = chainAt(chains, index)
    if (!hasExact) continue
    for (const slot of readChain(generation.slabs, firstBlock, count, true).slots as Int32Array) {
      const value = generation.exact.get(slot)
      if (value !== undefined) exact.set(slot, value)
    }
  }
  return exact
}

export interface SourceSnapshot {
  readonly tags: readonly TagRecord[]
  readonly files: readonly SealedFact[]
  readonly parts: readonly InMemory[]
  readonly generations: readonly number[]
  /** Deleted tags whose points may be in the files. */
  readonly retired: readonly number[]
}

/** All of a source, or of some of its tags, for an export. Files and generations are held until they are released. */
export function snapshotSource(keeper: Keeper, sourceId: string, names: readonly string[] | undefined): SourceSnapshot {
  const source = keeper.registry.find(sourceId)
  const tags = findTags(keeper, source, names).filter(({ id }) => id !== UNKNOWN)
  const files = tags.length === 0 ? [] : keeper.files.between(sourceId, -Infinity, Infinity)
  keeper.files.hold(files.map(({ path }) => path))
  const found = keeper.kept.flatMap(({ generation }) => {
    const seen = chainsIn(generation, tags, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    return seen === undefined ? [] : [{ ...seen, slabs: generation.slabs }]
  })
  const generations = found.map(({ number }) => number)
  keeper.held.hold(generations)
  const { table, retired } = keeper.registry
  return {
    tags: tags.map(({ id }) => table.get(id) as TagRecord),
    files,
    parts: found,
    generations,
    retired: [...(retired.get(sourceId) ?? [])]
  }
}
