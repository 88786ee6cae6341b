import type { ScrubStep } from '../scrub-state.ts'
import type { DownloadBody } from './download.ts'
import type { UploadBody } from './upload-body.ts'

export { attachmentNamed } from './content-disposition.ts'
export { type DownloadBody, FileSlice, readDownload } from './download.ts'
export { StoreError, type StoreErrorCode } from './errors.ts'
export { keyFault, MAX_KEY_BYTES } from './key.ts'
export { MAX_DELETED_AT_ONCE, MAX_PARTS, MIN_PART_BYTES } from './limits.ts'
export { type OpenedStore, openStore, type RemoteSettings, type StoreSettings } from './open.ts'
export { chunksOf, createUploadBody, type UploadBody } from './upload-body.ts'

/**
 * Objects in buckets, with one behaviour whoever keeps them. Whatever goes wrong is a `StoreError`. What has been
 * answered is durable. An object is replaced as a whole or not at all: a body that fails half way leaves the old object
 * as it was and nothing else behind. Keys have passed `keyFault`, and come back exactly as they were given.
 */
export interface ObjectStore {
  readonly kind: StoreKind
  /** A bucket that these credentials already own will do. */
  createBucket(bucket: string): Promise<void>
  /** `bucket_not_empty` where it holds anything, `no_such_bucket` where there is none. */
  deleteBucket(bucket: string): Promise<void>
  /** In the order of the keys' UTF-8 bytes; each folder once, where its first key would stand. */
  list(bucket: string, query: ListQuery): Promise<Listing>
  head(bucket: string, key: string): Promise<StoredObject>
  /** The caller reads the body to its end or destroys it. */
  get(bucket: string, key: string, options?: GetOptions): Promise<OpenedObject>
  put(bucket: string, key: string, body: UploadBody, options: PutOptions): Promise<StoredObject>
  /** Within the store, without the bytes passing through here. */
  copy(from: ObjectAddress, to: ObjectAddress, conditions?: WriteConditions): Promise<StoredObject>
  /** At most 1,000 at a time. A key that is not there counts as deleted; the answer tells of those that still are. */
  delete(bucket: string, keys: readonly string[]): Promise<readonly DeleteFailure[]>
}

export type StoreKind = 'disk' | 's3' | 'azure' | 'gcs'

/** Large objects in parts, which may come in any order, at the same time and again. */
export interface MultipartStore extends ObjectStore {
  /** Answers the store's own name for the upload. */
  startUpload(bucket: string, key: string, contentType: string): Promise<string>
  putPart(upload: UploadAddress, number: number, body: UploadBody): Promise<StoredPart>
  /** The parts in the order of their numbers; all but the last have `MIN_PART_BYTES` or more. */
  completeUpload(upload: UploadAddress, parts: readonly StoredPart[], options: PutOptions): Promise<StoredObject>
  /** Also for an upload that is no longer there. */
  abortUpload(upload: UploadAddress): Promise<void>
}

/** Stores that hand out links of their own, which they answer themselves. */
export interface PresigningStore extends ObjectStore {
  presign(bucket: string, key: string, options: PresignOptions): Promise<string>
}

/** Stores whose contents nobody but the server looks after. */
export interface ScrubbedStore extends ObjectStore {
  /** Compares some contents, of about so many bytes, with what is known of them; goes on where the last call ended. */
  scrub(maxBytes: number): Promise<ScrubStep>
}

/** Stores that know how they are without being asked for anything. */
export interface CheckedStore extends ObjectStore {
  /** Throws what is wrong, in words that are fit for anybody; where a part of it has ended, that is begun again first. */
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
  /** ISO 8601 in UTC, to the millisecond where the store is that exact. */
  readonly modifiedAt: string
  /** In quotes; the MD5 of the content where the store knows it. */
  readonly etag: string
}

export interface StoredObject extends ListedObject {
  readonly contentType: string
  /** Hexadecimal; undefined where the store did not keep it. */
  readonly sha256?: string | undefined
}

export interface Folder {
  /** With the slash at its end. */
  readonly folder: string
}

export interface ListQuery {
  readonly prefix: string
  /** Whether what lies deeper than the next slash is shown as its folder only. */
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
  /** `range_not_satisfiable` where it begins behind the end. */
  readonly range?: ByteRange | undefined
  /** `precondition_failed` where the object now has another entity tag. */
  readonly ifMatch?: string | undefined
}

export interface OpenedObject {
  readonly object: StoredObject
  /** The part that is answered: from `start` up to, but not including, `end`. */
  readonly start: number
  readonly end: number
  readonly body: DownloadBody
}

/** `precondition_failed` where they do not hold at the moment of writing. */
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
  /** What the store calls the part's content. */
  readonly etag: string
}

export interface PresignOptions {
  readonly expiresInSeconds: number
  /** The name under which browsers save it. */
  readonly downloadAs?: string | undefined
}
