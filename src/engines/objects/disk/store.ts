import { hash } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { constants, copyFile, link, open, rm } from 'node:fs/promises'
import { toIso } from '../../clock.ts'
import { lockFolder } from '../../folder-lock.ts'
import type { ScrubStep } from '../../scrub-state.ts'
import { requireWritable } from '../../unwritable.ts'
import { FileSlice } from '../download.ts'
import { StoreError } from '../errors.ts'
import type {
  CheckedStore,
  GetOptions,
  Listing,
  ListQuery,
  MultipartStore,
  ObjectAddress,
  OpenedObject,
  PutOptions,
  ScrubbedStore,
  StoredObject,
  StoredPart,
  UploadAddress,
  WriteConditions
} from '../index.ts'
import type { OpenedStore } from '../open.ts'
import { type Span, spanOf } from '../range.ts'
import type { UploadBody } from '../upload-body.ts'
import { takeIn } from './content.ts'
import { withContentFile } from './content-file.ts'
import { INLINE_BYTES, type ObjectRow } from './database.ts'
import { CHANGED, MISSING, UNREADABLE } from './examine.ts'
import { orFault } from './faults.ts'
import { IndexClient } from './index-client.ts'
import type { FoundRow } from './index-reader.ts'
import { IndexEnded } from './index-thread.ts'
import { type Layout, layoutOf, temporaryPath } from './layout.ts'
import { listObjects } from './list.ts'
import { newFile } from './new-file.ts'
import type { IndexRequest, NewObject } from './requests.ts'
import { scrubStep } from './scrub.ts'
import { Trouble } from './trouble.ts'
import { DiskUploads } from './uploads.ts'
import { etagOf, noSuchBucket } from './writer.ts'

/** How often an object may be replaced between its look-up and its opening before that counts as a fault. */
const MAX_LOOKS = 10

/** Objects in a folder of this machine: an index in SQLite, and files for content that is too large for it. */
export async function openDiskStore(folder: string, now: () => number): Promise<OpenedStore> {
  const layout = layoutOf(folder)
  const unlock = lockFolder(folder)
  try {
    const index = await IndexClient.open(layout)
    const close = async () => {
      await index.close()
      unlock()
    }
    return { store: new DiskStore(layout, index, now), close }
  } catch (error) {
    unlock()
    throw error
  }
}

class DiskStore implements MultipartStore, ScrubbedStore, CheckedStore {
  readonly kind = 'disk'
  readonly #layout: Layout
  readonly #index: IndexClient
  readonly #now: () => number
  readonly #uploads: DiskUploads
  readonly #trouble: Trouble

  constructor(layout: Layout, index: IndexClient, now: () => number) {
    this.#layout = layout
    this.#index = index
    this.#now = now
    this.#uploads = new DiskUploads(layout)
    this.#trouble = new Trouble(now)
  }

  createBucket(bucket: string): Promise<void> {
    return this.#change({ op: 'createBucket', bucket })
  }

  deleteBucket(bucket: string): Promise<void> {
    return this.#change({ op: 'deleteBucket', bucket })
  }

  async list(bucket: string, query: ListQuery): Promise<Listing> {
    this.#requireBucket(bucket)
    return listObjects(this.#index, bucket, query)
  }

  async head(bucket: string, key: string): Promise<StoredObject> {
    return toStored(this.#find(bucket, key))
  }

  async get(bucket: string, key: string, options: GetOptions = {}): Promise<OpenedObject> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const row = this.#find(bucket, key)
      const object = toStored(row)
      if (options.ifMatch !== undefined && options.ifMatch !== object.etag) {
        throw new StoreError('precondition_failed', 'The object is not the one that was expected')
      }
      const span = spanOf(options.range, row.size)
      const body = await this.#openContent(this.#requireSound(row), span)
      if (body === undefined) continue
      if (row.damaged !== null) this.#index.change({ op: 'unmark', bucket, key }).catch(() => {}) // the content is there again
      return { object, ...span, body }
    }
    throw this.#missing(bucket, key)
  }

  async put(bucket: string, key: string, body: UploadBody, options: PutOptions): Promise<StoredObject> {
    this.#requireBucket(bucket)
    const { contentType, ...conditions } = options
    const file = newFile()
    const taken = await this.#noting(() => takeIn(body, temporaryPath(this.#layout, file), INLINE_BYTES))
    const [content, sums] = 'content' in taken ? [taken.content] : [file, taken.sums]
    const { md5, sha256, sizeBytes: size } = await body.digests()
    return this.#commit(
      { bucket, key, size, modifiedAt: toIso(this.#now()), md5, sha256, contentType, content, sums },
      conditions
    )
  }

  /** Contents are never changed, so two objects can share a file. */
  async copy(from: ObjectAddress, to: ObjectAddress, conditions: WriteConditions = {}): Promise<StoredObject> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const row = this.#requireSound(this.#find(from.bucket, from.key))
      this.#requireBucket(to.bucket)
      const { file } = row
      const content = file === null ? contentOf(row) : await this.#noting(() => this.#linked(file))
      if (content === undefined) continue
      const { size, md5, sha256, content_type: contentType } = row
      const facts = { size, modifiedAt: toIso(this.#now()), contentType, md5, sha256 }
      const sums = row.sums ?? undefined
      return this.#commit({ bucket: to.bucket, key: to.key, ...facts, content, sums }, conditions)
    }
    throw this.#missing(from.bucket, from.key)
  }

  async delete(bucket: string, keys: readonly string[]): Promise<readonly never[]> {
    await this.#change({ op: 'delete', bucket, keys })
    return []
  }

  async startUpload(bucket: string): Promise<string> {
    this.#requireBucket(bucket)
    return this.#noting(() => this.#uploads.start())
  }

  putPart({ uploadId }: UploadAddress, number: number, body: UploadBody): Promise<StoredPart> {
    return this.#noting(() => this.#uploads.putPart(uploadId, number, body))
  }

  async completeUpload(
    { bucket, key, uploadId }: UploadAddress,
    parts: readonly StoredPart[],
    options: PutOptions
  ): Promise<StoredObject> {
    const stored = await this.put(bucket, key, await this.#uploads.join(uploadId, parts), options)
    await this.#uploads.remove(uploadId)
    return stored
  }

  abortUpload({ uploadId }: UploadAddress): Promise<void> {
    return this.#uploads.remove(uploadId)
  }

  scrub(maxBytes: number): Promise<ScrubStep> {
    return scrubStep(this.#layout, this.#index, maxBytes, this.#now())
  }

  async check(): Promise<void> {
    await this.#index.requireRunning()
    await orFault(async () => requireWritable(this.#layout.temporary))
    await this.#trouble.check(() => this.#index.change({ op: 'probe' }))
  }

  /** Changes the index, and remembers errors; whether the index can be opened is tried anew each time. */
  async #change(request: IndexRequest): Promise<void> {
    await this.#index.requireRunning()
    return this.#noting(() => this.#index.change(request))
  }

  async #noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await orFault(work)
    } catch (error) {
      this.#trouble.note(error)
      throw error
    }
  }

  #find(bucket: string, key: string): FoundRow {
    const row = this.#index.find(bucket, key)
    if (row !== undefined) return row
    this.#requireBucket(bucket)
    throw new StoreError('no_such_key', `There is no object ${key} in ${bucket}`)
  }

  #requireBucket(bucket: string): void {
    if (!this.#index.hasBucket(bucket)) throw noSuchBucket(bucket)
  }

  async #commit(object: NewObject, conditions: WriteConditions): Promise<StoredObject> {
    const { key, size, modifiedAt, md5, sha256, contentType, content } = object
    try {
      await this.#change({ op: 'put', object, conditions })
    } catch (error) {
      // Where the index thread has ended, the change may have been committed: the next start of the thread finds out.
      const isNowhere = typeof content === 'string' && !(error instanceof IndexEnded)
      if (isNowhere) await rm(temporaryPath(this.#layout, content), { force: true })
      throw error
    }
    return { key, sizeBytes: size, modifiedAt, etag: etagOf(md5), contentType, sha256 }
  }

  /** Undefined where the object was replaced since its row was read. */
  async #openContent(row: FoundRow, { start, end }: Span): Promise<OpenedObject['body'] | undefined> {
    if (row.file === null) return contentOf(row).subarray(start, end)
    const file = await withContentFile(this.#layout, row.file, (path) => open(path))
    if (file === undefined) return undefined
    const known = row.sums && { sizeBytes: row.size, sums: row.sums, onDamage: () => this.#mark(row) }
    const slice = new FileSlice(file, { start, end }, known ?? undefined)
    try {
      if (fstatSync(file.fd).size !== row.size) throw this.#mark(row)
      await slice.begin()
      return slice
    } catch (error) {
      await slice.close()
      throw (error as { code?: string }).code === 'EIO' ? this.#mark(row, UNREADABLE.fault) : error
    }
  }

  /**
   * Refuses content that is known to be damaged. Missing content may have been put back, so it is tried again; small
   * content, which is in the row, is checked here.
   */
  #requireSound(row: FoundRow): FoundRow {
    if (row.damaged !== null && row.damaged !== MISSING.fault) throw damaged(row.damaged)
    if (row.file === null && (row.content === null || hash('sha256', row.content) !== row.sha256)) throw this.#mark(row)
    return row
  }

  /** Marks an object as damaged: from now on it is refused at once. */
  #mark(row: FoundRow, what: string = CHANGED.fault): StoreError {
    const { bucket, key, file, inline } = row
    this.#index
      .change({ op: 'mark', seen: { bucket, key, file, inline }, foundAt: toIso(this.#now()), what })
      .catch(() => {}) // the next read finds the damage again
    return damaged(what)
  }

  /** The error where every look-up found a row, but never its content. */
  #missing(bucket: string, key: string): StoreError {
    return this.#mark(this.#find(bucket, key), MISSING.fault)
  }

  /** Gives the content file a second name, among the temporary ones. */
  async #linked(file: string): Promise<string | undefined> {
    const copy = newFile()
    const path = temporaryPath(this.#layout, copy)
    return withContentFile(this.#layout, file, async (original) => {
      await link(original, path).catch((error: { code?: string }) => {
        // Not every file system has links, and their number is limited.
        if (error.code === 'ENOENT') throw error
        return copyFile(original, path, constants.COPYFILE_FICLONE)
      })
      return copy
    })
  }
}

function contentOf({ content }: FoundRow): Buffer {
  const { buffer, byteOffset, byteLength } = content as Uint8Array
  return Buffer.from(buffer, byteOffset, byteLength)
}

function toStored(row: ObjectRow): StoredObject {
  return {
    key: row.key,
    sizeBytes: row.size,
    modifiedAt: row.modified_at,
    etag: etagOf(row.md5),
    contentType: row.content_type,
    sha256: row.sha256
  }
}

function damaged(what: string): StoreError {
  return new StoreError('damaged', `The content of the object ${what}; upload it again or restore it from a backup`)
}
