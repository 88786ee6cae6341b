import type { ScrubStep } from '../scrub-state.ts'
import type { DownloadBody } from './download.ts'
import type { UploadBody } from './upload-body.ts'

export { addressOf, type ServerAddress } from './address.ts'
export { attachmentNamed } from './content-disposition.ts'
export { type DownloadBody, FileSlice, readDownload } from './download.ts'
export { StoreError, type StoreErrorCode } from './errors.ts'
export { keyFault, MAX_KEY_BYTES } from './key.ts'
export { MAX_DELETED_AT_ONCE, MAX_PARTS, MIN_PART_BYTES } from './limits.ts'
export { type OpenedStore, openStore, type RemoteSettings, type StoreSettings } from './open.ts'
export { saveDownload } from './save-download.ts'
export { chunksOf, createUploadBody, type UploadBody } from './upload-body.ts'

/**
 * Objects in buckets, with the same behaviour in every store. All errors are `StoreError`s. What was answered is
 * durable. An object is replaced as a whole or not at all: a body that fails half way leaves the old object unchanged
 * and nothing else behind. Keys have passed `keyFault`, and come back exactly as they were given.
 */
export interface ObjectStore {
  readonly kind: StoreKind
  /** Makes a bucket; succeeds too where these credentials already own it. */
  createBucket(bucket: string): Promise<void>
  /** Fails with `bucket_not_empty` where it holds anything, `no_such_bucket` where it does not exist. */
  deleteBucket(bucket: string): Promise<void>
  /** Lists in the order of the keys' UTF-8 bytes; each folder once, at the place of its first key. */
  list(bucket: string, query: ListQuery): Promise<Listing>
  head(bucket: string, key: string): Promise<StoredObject>
  /** The caller has to read the body to its end or destroy it. */
  get(bucket: string, key: string, options?: GetOptions): Promise<OpenedObject>
  put(bucket: string, key: string, body: UploadBody, options: PutOptions): Promise<StoredObject>
  /** Copies within the store, without the bytes passing through this server. */
  copy(from: ObjectAddress, to: ObjectAddress, conditions?: WriteConditions): Promise<StoredObject>
  /**
   * Deletes at most 1,000 keys at a time. A missing key counts as deleted; the answer has those that could not be
   * deleted.
   */
  delete(bucket: string, keys: readonly string[]): Promise<readonly DeleteFailure[]>
}

export type StoreKind = 'disk' | 's3' | 'azure' | 'gcs'

/** Uploads of large objects in parts, which may come in any order, in parallel and repeatedly. */
export interface MultipartStore extends ObjectStore {
  /** Answers the store's own id of the upload. */
  startUpload(bucket: string, key: string, contentType: string): Promise<string>
  putPart(upload: UploadAddress, number: number, body: UploadBody): Promise<StoredPart>
  /** Joins the parts in the order of their numbers; all but the last have at least `MIN_PART_BYTES`. */
  completeUpload(upload: UploadAddress, parts: readonly StoredPart[], options: PutOptions): Promise<StoredObject>
  /** Aborts an upload; succeeds too where it does not exist any more. */
  abortUpload(upload: UploadAddress): Promise<void>
}

/** Stores that can make links which they answer themselves. */
export interface PresigningStore extends ObjectStore {
  presign(bucket: string, key: string, options: PresignOptions): Promise<string>
}

/** Stores on our own disk, whose contents only this server can check. */
export interface ScrubbedStore extends ObjectStore {
  /** Compares contents of about so many bytes with their checksums; goes on where the last call ended. */
  scrub(maxBytes: number): Promise<ScrubStep>
}

/** Stores that know their condition without a request. */
export interface CheckedStore extends ObjectStore {
  /** Throws what is wrong, with a message that anybody may read. Restarts a part of the store that has ended first. */
  check(): Promise<void>
}

export function supportsCheck(store: ObjectStore): store is CheckedStore {
  return 'check' in store
}

export function supportsScrub(store: ObjectStore): store is ScrubbedStore {
  return 'scrub' in store
}

export function supportsMultipart(store: ObjectStore): store is MultipartStore {
  return 'startUpload' in store
}

export function supportsPresigning(store: ObjectStore): store is PresigningStore {
  return 'presign' in store
}

export interface ObjectAddress {
  readonly bucket: string
  readonly key: string
}

export interface ListedObject {
  readonly key: string
  readonly sizeBytes: number
  /** ISO 8601 in UTC, with milliseconds where the store has them. */
  readonly modifiedAt: string
  /** In quotes; the MD5 of the content where the store knows it. */
  readonly etag: string
}

export interface StoredObject extends ListedObject {
  readonly contentType: string
  /** Hexadecimal; undefined where the store does not have it. */
  readonly sha256?: string | undefined
}

export interface Folder {
  /** The folder, with the slash at its end. */
  readonly folder: string
}

export interface ListQuery {
  readonly prefix: string
  /** Whether keys beyond the next slash are shown as their folder only. */
  readonly folders: boolean
  /** 1 to 1,000, objects and folders together. */
  readonly limit: number
  /** The `next` of the page before. */
  readonly after?: string | undefined
}

export interface Listing {
  readonly entries: readonly (ListedObject | Folder)[]
  readonly next: string | undefined
}

/** Bytes from `start` to `end`, both included, or the last ones. */
export type ByteRange = { readonly start: number; readonly end?: number | undefined } | { readonly last: number }

export interface GetOptions {
  /** Fails with `range_not_satisfiable` where it begins after the end. */
  readonly range?: ByteRange | undefined
  /** Fails with `precondition_failed` where the object has another entity tag now. */
  readonly ifMatch?: string | undefined
}

export interface OpenedObject {
  readonly object: StoredObject
  /** The part that is answered: from `start` up to, but not including, `end`. */
  readonly start: number
  readonly end: number
  readonly body: DownloadBody
}

/** A write fails with `precondition_failed` where these do not hold at that moment. */
export interface WriteConditions {
  /** Only if there is no object yet. */
  readonly ifAbsent?: boolean | undefined
  /** Only if the object there has this entity tag. */
  readonly ifMatch?: string | undefined
}

export interface PutOptions extends WriteConditions {
  readonly contentType: string
}

export interface DeleteFailure {
  readonly key: string
  readonly code: string
  readonly message: string
}

export interface UploadAddress extends ObjectAddress {
  readonly uploadId: string
}

export interface StoredPart {
  readonly number: number
  readonly sizeBytes: number
  /** The store's own tag of the part's content. */
  readonly etag: string
}

export interface PresignOptions {
  readonly expiresInSeconds: number
  /** The name under which browsers save it. */
  readonly downloadAs?: string | undefined
}
