import { randomBytes, randomUUID } from 'node:crypto'
import { FolderInUse } from '../../../engines/folder-lock.ts'
import {
  createUploadBody,
  type ObjectStore,
  type OpenedObject,
  type OpenedStore,
  readDownload,
  StoreError,
  type StoreErrorCode,
  type StoreKind,
  supportsMultipart,
  supportsPresigning,
  type UploadAddress
} from '../../../engines/objects/index.ts'
import type { Outbound } from '../../../engines/outbound/index.ts'
import { CheckFailure, toFailure } from './failure.ts'
import { permissionFor, type Right } from './permissions.ts'
import { type Remnant, Remnants } from './remnants.ts'
import { Skipped } from './runner.ts'

/** The store that is tested. */
export interface Target {
  readonly kind: StoreKind
  /** An existing bucket; undefined: one is made for the test. */
  readonly bucket: string | undefined
  readonly bucketPrefix: string
  open(): Promise<OpenedStore>
}

const PREFIX = '.millrace-probe/'
const TYPE = { contentType: 'text/plain' }
const MAX_READ_BYTES = 64 * 1024
const LINK_SECONDS = 60
const LINK_LIMIT_MS = 10_000

/** Errors that only a caller with valid credentials gets. */
const AFTER_AUTHENTICATION = new Set<StoreErrorCode>(['no_such_key', 'no_such_bucket', 'access_denied'])

/** One object at a key of its own, and all checks that are done with it. */
export class Probe {
  readonly remnants = new Remnants()
  readonly #target: Target
  readonly #bucket: string
  readonly #key = PREFIX + randomUUID()
  readonly #content = Buffer.from(`Written to test this storage provider, and removed after: ${this.#key}\n`)
  #opened: OpenedStore | undefined
  #hasBucket: boolean
  #written = false

  constructor(target: Target) {
    this.#target = target
    this.#hasBucket = target.bucket !== undefined
    // With the longest prefix the name has 63 characters, the most that is allowed.
    this.#bucket = target.bucket ?? `${target.bucketPrefix}millrace-probe-${randomBytes(4).toString('hex')}`
  }

  /** Whether there is an object to delete. */
  get written(): boolean {
    return this.#written
  }

  permission(right: Right): string {
    return permissionFor(this.#target.kind, right)
  }

  /**
   * Asks for an object that does not exist: that needs no right, and every answer tells whether the credentials are
   * valid.
   */
  async authenticate(): Promise<string> {
    const store = await this.open()
    try {
      await readAll(await store.get(this.#bucket, this.#key))
    } catch (error) {
      if (!(error instanceof StoreError && AFTER_AUTHENTICATION.has(error.code))) throw error
    }
    return 'The store accepts the credentials'
  }

  /** Lists a bucket, which is made if there is none. */
  async list(): Promise<string> {
    const store = await this.open()
    if (!this.#hasBucket) await this.#makeBucket(store)
    try {
      await store.list(this.#bucket, { prefix: PREFIX, folders: false, limit: 1 })
    } catch (error) {
      this.#hasBucket = !(error instanceof StoreError && error.code === 'no_such_bucket')
      throw error
    }
    return `What begins with ${PREFIX} in ${this.#bucket} can be listed`
  }

  async write(): Promise<string> {
    if (!this.#hasBucket) throw new CheckFailure('not_tried', 'Not tried, because there is no bucket to write to')
    const store = await this.open()
    await this.remnants.making(this.#object(this.#key), () => store.put(this.#bucket, this.#key, this.#body(), TYPE))
    this.#written = true
    return `${this.#content.length} bytes were written to ${this.#key} in ${this.#bucket}`
  }

  async read(): Promise<string> {
    const store = await this.open()
    const content = await readAll(await store.get(this.#bucket, this.#key))
    if (content.equals(this.#content)) return 'What was written comes back equal'
    throw new CheckFailure('content_differs', 'What comes back is not what was written; look into the store')
  }

  async range(): Promise<string> {
    const store = await this.open()
    const range = { start: 3, end: 9 }
    const content = await readAll(await store.get(this.#bucket, this.#key, { range }))
    if (content.equals(this.#content.subarray(range.start, range.end + 1))) return 'A part of an object can be read'
    throw new CheckFailure('not_honoured', 'The store does not keep to the range that is asked for; use another one')
  }

  async multipart(): Promise<string | Skipped> {
    const store = await this.open()
    if (!supportsMultipart(store)) return new Skipped('The store knows no uploads in parts')
    const key = `${this.#key}-parts`
    const upload = { bucket: this.#bucket, key, uploadId: await store.startUpload(this.#bucket, key, TYPE.contentType) }
    const parts = this.#parts(upload)
    this.remnants.add(parts, true)
    const part = await store.putPart(upload, 1, this.#body())
    // Recorded first, whatever goes wrong: it takes several calls, and any of them may have made the object.
    const object = this.#object(key)
    this.remnants.add(object, false)
    await store.completeUpload(upload, [part], TYPE)
    this.remnants.add(object, true)
    this.remnants.drop(parts)
    this.#written = true
    return 'An upload in parts can be completed'
  }

  async conditionalWrite(): Promise<string> {
    const store = await this.open()
    try {
      await store.put(this.#bucket, this.#key, this.#body(), { ...TYPE, ifAbsent: true })
    } catch (error) {
      if (error instanceof StoreError && error.code === 'precondition_failed') {
        return 'A write that must not overwrite is refused where there is an object'
      }
      throw error
    }
    throw new CheckFailure(
      'not_honoured',
      'The store overwrites although it is told not to; of two that write a key at the same time, the last wins'
    )
  }

  async presign(outbound: Outbound | undefined): Promise<string | Skipped> {
    const store = await this.open()
    if (outbound === undefined || !supportsPresigning(store)) {
      return new Skipped('The store gives out no links; those of this server are used')
    }
    const link = await store.presign(this.#bucket, this.#key, { expiresInSeconds: LINK_SECONDS })
    const limits = { timeoutMs: LINK_LIMIT_MS, maxResponseBytes: MAX_READ_BYTES }
    const { status, text } = await outbound.request(link, limits)
    if ((await text()) === this.#content.toString()) return 'A link of the store leads to the object'
    const what = `A link of the store is answered with status ${status}`
    throw status === 403
      ? new CheckFailure('access_denied', `${what}; it takes ${this.permission('read')}`)
      : new CheckFailure('not_honoured', `${what} and not with the object; check endpoint and pathStyle`)
  }

  async open(): Promise<ObjectStore> {
    this.#opened ??= await this.#target.open().catch((error) => {
      throw isOfFolder(error) ? new CheckFailure('store_failed', CLOSED_FOLDER) : error
    })
    return this.#opened.store
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    await opened?.close()
  }

  async #makeBucket(store: ObjectStore): Promise<void> {
    const bucket = this.#bucket
    const what = `the bucket ${bucket}`
    const permission = this.permission('deleteBucket')
    try {
      await this.remnants.making({ what, permission, remove: (from) => from.deleteBucket(bucket) }, () =>
        store.createBucket(bucket)
      )
      this.#hasBucket = true
    } catch (error) {
      const { code, message } = toFailure(error, this.permission('createBucket'))
      throw new CheckFailure(
        code,
        `No bucket can be made to test in: ${message}, or name one that is there in the field bucket`
      )
    }
  }

  #object(key: string): Remnant {
    const bucket = this.#bucket
    return {
      what: `the object ${key} in ${bucket}`,
      permission: this.permission('delete'),
      async remove(store) {
        const [failure] = await store.delete(bucket, [key])
        if (failure !== undefined) throw new CheckFailure(failure.code, failure.message)
      }
    }
  }

  #parts(upload: UploadAddress): Remnant {
    return {
      what: `an unfinished upload of ${upload.key} in ${upload.bucket}`,
      permission: this.permission('abort'),
      remove: async (store) => (supportsMultipart(store) ? store.abortUpload(upload) : undefined)
    }
  }

  #body() {
    return createUploadBody(only(this.#content), { sizeBytes: this.#content.length })
  }
}

const CLOSED_FOLDER =
  'The folder of the objects can’t be opened; check access to DATA_DIR, and that no other server uses it'

function isOfFolder(error: unknown): boolean {
  return error instanceof FolderInUse || (error instanceof Error && 'errno' in error)
}

async function* only(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

async function readAll({ body }: OpenedObject): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of readDownload(body)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_READ_BYTES) break
  }
  return Buffer.concat(chunks)
}
