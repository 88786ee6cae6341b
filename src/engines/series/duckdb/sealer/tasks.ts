import type { SealedFact } from '../index-db.ts'
import type { RetiredTag, TagRecord } from '../keeper/log-records.ts'
import type { Slab } from '../memory/blocks.ts'
import type { ChainColumns } from '../memory/generation.ts'

/** What the sealer is asked to do, one thing after the other, in this order. */
export interface SealerCalls {
  /** Puts a generation that is no longer written to into files. */
  seal(task: SealTask): Sealed
  /** Makes one file of several of one source and day, the oldest first. */
  merge(task: MergeTask): Merged
  /** Writes a file anew if it holds points of tags that were deleted; undefined if not. */
  clean(file: SealedFact): Merged | undefined
  /** No file holds points of these deleted tags any more. */
  forgetRetired(ids: readonly number[]): void
  /** Forgets a source and gives up its files. */
  drop(source: string): void
  /** From now on nothing of the source counts that is older; the files of days that are over are given up. */
  retain(task: RetainTask): Retained
  /** Removes files that nobody reads any more. */
  unlink(paths: readonly string[]): void
  /** What of a file is damaged, in words; undefined where nothing is. */
  examine(path: string): string | undefined
  /** Gives a file of an older version its checksums. */
  sum(path: string): void
  /** Answers the files that hold the points, each of them once. */
  export(task: ExportTask): string[]
  close(): void
}

/** Chains of one generation, with what they lie in. */
export interface InMemory {
  readonly slabs: readonly Slab[]
  readonly chains: ChainColumns
  readonly exact: ReadonlyMap<number, string | bigint>
}

export interface SealTask extends InMemory {
  readonly generation: number
  readonly newTags: readonly TagRecord[]
  readonly retired: readonly RetiredTag[]
  /** How many numbers tags have been given. */
  readonly tagNumbers: number
}

/** Points that turned out to replace others, by tag. */
export type Replaced = readonly (readonly [tag: number, points: number])[]

export interface Sealed {
  readonly files: readonly SealedFact[]
  readonly replaced: Replaced
}

export interface MergeTask {
  readonly files: readonly SealedFact[]
}

export interface Merged {
  /** Undefined where none of the points belongs to anybody any more. */
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
