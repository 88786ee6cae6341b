import type { TagType } from '../../index.ts'
import type { Query } from '../../query/plan.ts'
import type { SealedFact } from '../index-db.ts'
import type { Slab } from '../memory/blocks.ts'
import type { ChainColumns } from '../memory/generation.ts'

/** Everything a query can see: the state at one moment, whatever is written, sealed or merged afterwards. */
export interface Snapshot {
  /** Tags in the order of the answer. */
  readonly tags: readonly SnapshotTag[]
  /** Files by day, and within a day the oldest first. */
  readonly files: readonly SealedFact[]
  /** Generations, the oldest first. */
  readonly generations: readonly SnapshotGeneration[]
  /** Points before this time do not exist any more. */
  readonly cutoffNs: bigint | undefined
}

export interface SnapshotTag {
  readonly name: string
  /** -1 for a tag that the source does not have. */
  readonly id: number
  readonly type: TagType | undefined
}

export interface SnapshotGeneration {
  readonly number: number
  readonly chains: ChainColumns
  /** Texts and large whole numbers of these chains, by slot. */
  readonly exact: ReadonlyMap<number, string | bigint>
}

/** From the keeper to the reader. */
export type KeeperMessage =
  | { readonly kind: 'slab'; readonly generation: number; readonly slab: Slab }
  | { readonly kind: 'sealed'; readonly generation: number }
  | { readonly kind: 'gone'; readonly paths: readonly string[] }
  | { readonly kind: 'query'; readonly id: number; readonly query: Query; readonly snapshot: Snapshot }

/** From the reader to the keeper: this query does not read these files and generations any more. */
export interface ReleaseMessage {
  /** The path of one of the files that turned out to be damaged. */
  readonly damaged?: string | undefined
  readonly paths: readonly string[]
  readonly generations: readonly number[]
}

/** From the caller to the reader. */
export type CallerMessage =
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'cancel'; readonly id: number }

/** From the reader to the caller. */
export type ReaderMessage =
  | { readonly kind: 'chunk'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer>; readonly isLast: boolean }
  | {
      readonly kind: 'error'
      readonly id: number
      readonly code: string
      readonly message: string
      readonly facts: Readonly<Record<string, unknown>>
    }
