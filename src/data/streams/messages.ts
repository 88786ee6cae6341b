import type { Entry, SourceConfig, StreamColumn } from '../../engines/drivers/index.ts'
import type { Wish } from '../wish.ts'

/** What is needed to read a stream of a connector, secrets included. */
export interface ReadableStream {
  readonly sourceId: string
  /** Where a user has made the source. */
  readonly entry?: Entry | undefined
  readonly config: SourceConfig
  readonly packagesFolder: string
  /** As it was discovered. */
  readonly columns: readonly StreamColumn[]
}

/** What a thread is to copy, and where to. */
export interface CopyOrder extends ReadableStream {
  readonly stream: string
  readonly wish: Wish
  readonly outbound: { readonly allowPrivateNetworks: boolean; readonly allowedHosts: readonly string[] }
  readonly file: string
  readonly maxBytes: number
}

export interface Copied {
  readonly columns: readonly Pick<StreamColumn, 'name' | 'type'>[]
  readonly rows: number
  readonly bytes: number
  /** At least as many bytes as the longest line has. */
  readonly longestLine: number
}

/** What came of it. */
export type CopyOutcome =
  | Copied
  | { readonly failed: 'too_large' | 'not_found' | 'unavailable'; readonly message: string }
