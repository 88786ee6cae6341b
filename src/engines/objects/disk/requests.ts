import type { Answered } from '../../channel.ts'
import type { StoreErrorCode } from '../errors.ts'
import type { WriteConditions } from '../index.ts'
import type { SeenContent } from './marks.ts'

/** Requests of the store to the thread that writes the index. */
export type IndexRequest =
  | { readonly op: 'createBucket'; readonly bucket: string }
  | { readonly op: 'deleteBucket'; readonly bucket: string }
  | { readonly op: 'put'; readonly object: NewObject; readonly conditions: WriteConditions }
  | { readonly op: 'delete'; readonly bucket: string; readonly keys: readonly string[] }
  /** Says that the content is damaged, or is not any more. */
  | { readonly op: 'mark'; readonly seen: SeenContent; readonly foundAt: string; readonly what: string }
  | { readonly op: 'unmark'; readonly bucket: string; readonly key: string }
  /** Checksums for a file that has none. */
  | { readonly op: 'sum'; readonly file: string; readonly sums: Uint8Array }
  /** Changes nothing; fails where changes would. */
  | { readonly op: 'probe' }

export interface NewObject {
  readonly bucket: string
  readonly key: string
  readonly size: number
  /** ISO 8601. */
  readonly modifiedAt: string
  /** Hexadecimal. */
  readonly md5: string
  readonly sha256: string
  readonly contentType: string
  /** The content itself where it is small, else its temporary file name. */
  readonly content: Uint8Array | string
  /** Checksums of the blocks of a file; undefined where the content is small, or copied from one without checksums. */
  readonly sums: Uint8Array | undefined
}

export interface ThreadSetup {
  readonly folder: string
  /** Temporary files that nobody writes any more; those that were committed are kept. */
  readonly abandoned: 'all' | readonly string[]
}

/** Sent once, before any answer: whether the thread could start. */
export type FirstAnswer = 'ready' | SentFault

/** The calls over the channel; the answers to all that share a transaction come in one message. */
export interface IndexCalls {
  change(request: IndexRequest): void
}

export interface NumberedRequest {
  readonly id: number
  readonly request: IndexRequest
}

export type NumberedAnswer = Answered<SentFault>

export interface SentFault {
  readonly code: StoreErrorCode
  readonly message: string
}
