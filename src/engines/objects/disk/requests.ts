import type { StoreErrorCode } from '../errors.ts'
import type { WriteConditions } from '../index.ts'

/** What the store asks the thread that writes the index. */
export type IndexRequest =
  | { readonly op: 'createBucket'; readonly bucket: string }
  | { readonly op: 'deleteBucket'; readonly bucket: string }
  | { readonly op: 'put'; readonly object: NewObject; readonly conditions: WriteConditions }
  | { readonly op: 'delete'; readonly bucket: string; readonly keys: readonly string[] }

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
  /** The content itself where it is small, else the file under whose name it lies among the temporary ones. */
  readonly content: Uint8Array | string
}

export interface NumberedRequest {
  readonly id: number
  readonly request: IndexRequest
}

export interface NumberedAnswer {
  readonly id: number
  readonly error?: { readonly code: StoreErrorCode; readonly message: string }
}
