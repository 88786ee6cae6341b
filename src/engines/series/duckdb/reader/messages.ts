import type { TagType } from '../../index.ts'
import type { Query } from '../../query/plan.ts'
import type { SealedFact } from '../index-db.ts'
import type { Slab } from '../memory/blocks.ts'
import type { ChainColumns } from '../memory/generation.ts'

/** Everything a query can see: how things stood at one moment, whatever is written, sealed or merged afterwards. */
export interface Snapshot {
  /** In the order of the answer. */
  readonly tags: readonly SnapshotTag[]
  /** By day, and within a day the oldest first. */
  readonly files: readonly SealedFact[]
  /** The oldest first. */
  readonly generations: readonly SnapshotGeneration[]
  /** What is older is not there any more. */
  readonly cutoffNs: bigint | undefined
}

export interface SnapshotTag {
  readonly name: string
  /** -1 for one that the source does not have. */
  readonly id: number
  readonly type: TagType | undefined
}

export interface SnapshotGeneration {
  readonly number: number
  readonly chains: ChainColumns
  /** By slot, of these chains. */
  readonly exact: ReadonlyMap<number, string | bigint>
}

/** From the keeper to the reader. */
export type KeeperMessage =
  | { readonly kind: 'slab'; readonly generation: number; readonly slab: Slab }
  | { readonly kind: 'sealed'; readonly generation: number }
  | { readonly kind: 'gone'; readonly paths: readonly string[] }
  | { readonly kind: 'query'; readonly id: number; readonly query: Query; readonly snapshot: Snapshot }

/** From the reader to the keeper: nobody reads these for this query any more. */
export interface ReleaseMessage {
  /** One of them that turned out to be damaged. */
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
