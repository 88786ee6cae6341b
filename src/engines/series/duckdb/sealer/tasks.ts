import type { SealedFact } from '../index-db.ts'
import type { RetiredTag, TagRecord } from '../keeper/log-records.ts'
import type { Slab } from '../memory/blocks.ts'
import type { ChainColumns } from '../memory/generation.ts'

/** The tasks of the sealer. It carries them out one after the other, in the order of the calls. */
export interface SealerCalls {
  /** Puts a generation that is no longer written to into files. */
  seal(task: SealTask): Sealed
  /** Merges several files of one source and day into one, the oldest first. */
  merge(task: MergeTask): Merged
  /** Rewrites a file if it holds points of deleted tags; undefined if not. */
  clean(file: SealedFact): Merged | undefined
  /** Says that no file holds points of these deleted tags any more. */
  forgetRetired(ids: readonly number[]): void
  /** Forgets a source and takes its files out of use. */
  drop(source: string): void
  /** From now on nothing older counts; files of days before that are taken out of use. */
  retain(task: RetainTask): Retained
  /** Removes files that nobody reads any more. */
  unlink(paths: readonly string[]): void
  /** What is damaged in a file, in words; undefined where nothing is. */
  examine(path: string): string | undefined
  /** Adds checksums for a file of an older version. */
  sum(path: string): void
  /** Answers files that hold each of the points exactly once. */
  export(task: ExportTask): string[]
  close(): void
}

/** Chains of one generation, with the slabs that hold them. */
export interface InMemory {
  readonly slabs: readonly Slab[]
  readonly chains: ChainColumns
  readonly exact: ReadonlyMap<number, string | bigint>
}

export interface SealTask extends InMemory {
  readonly generation: number
  readonly newTags: readonly TagRecord[]
  readonly retired: readonly RetiredTag[]
  /** How many numbers were given to tags. */
  readonly tagNumbers: number
}

/** The number of points that turned out to replace others, by tag. */
export type Replaced = readonly (readonly [tag: number, points: number])[]

export interface Sealed {
  readonly files: readonly SealedFact[]
  readonly replaced: Replaced
}

export interface MergeTask {
  readonly files: readonly SealedFact[]
}

export interface Merged {
  /** Undefined where all points belong to deleted tags. */
  readonly file: SealedFact | undefined
  readonly replaced: Replaced
}

export interface RetainTask {
  readonly source: string
  readonly fromNs: bigint
  readonly files: readonly SealedFact[]
}

export interface Retained {
  readonly removed: Replaced
}

export interface ExportTask {
  readonly source: string
  readonly folder: string
  readonly fromNs: bigint
  readonly files: readonly SealedFact[]
  readonly parts: readonly InMemory[]
  readonly tags: readonly TagRecord[]
  /** Deleted tags of the source whose points may be in the files. */
  readonly retired: readonly number[]
}
