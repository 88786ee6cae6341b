import type { Clock } from '../../engines/clock.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { MAX_DELETED_AT_ONCE, type ObjectStore, StoreError, supportsMultipart } from '../../engines/objects/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import type { Uses } from '../../http/in-use.ts'
import type { Actor } from '../../http/permissions.ts'
import type { Performed } from '../../http/route.ts'
import { orNameTaken, orNotFound } from '../../http/rows.ts'
import type { Classification } from '../classification/index.ts'
import { bucketDeleted, bucketMade } from '../lineage/index.ts'
import type { Storage } from '../storage/index.ts'
import type { BucketRow } from './migrations.ts'
import { azureNameFault, bucketNameFault } from './names.ts'
import type { BucketOpener } from './opened.ts'
import type { Bucket, BucketCreate, BucketQuery } from './schema.ts'
import * as store from './store.ts'
import { withStore } from './store-problems.ts'

/** How often a bucket is emptied again because others write to it meanwhile. */
const MAX_EMPTYINGS = 3

export interface BucketNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly storage: Storage
  readonly classification: Classification
  readonly opener: BucketOpener
  readonly uses: Uses
}

export class Buckets {
  readonly #needs: BucketNeeds

  constructor(needs: BucketNeeds) {
    this.#needs = needs
  }

  async list(query: BucketQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listBuckets(db, query)
    return { buckets: await this.#toBuckets(db, rows), total, nextCursor }
  }

  async get(name: string): Promise<Bucket> {
    const { db } = this.#needs.metadata
    const row = await orNotFound(store.findBucket(db, name))
    return this.#toBucket(db, row)
  }

  async create(actor: Actor, body: BucketCreate): Promise<Performed<Bucket>> {
    const { metadata, clock, storage, classification } = this.#needs
    const fault = bucketNameFault(body.name)
    if (fault !== undefined) throw invalidField('/name', fault)
    const provider = await storage.providerFor(metadata.db, body.providerId)
    const backendName = provider.bucket_prefix + body.name
    const prefixed =
      bucketNameFault(backendName) ?? (provider.type === 'store-cloud-b' ? azureNameFault(backendName) : undefined)
    if (prefixed !== undefined)
      throw invalidField('/name', `with the provider’s prefix, ${backendName}, it ${prefixed}`)
    if (body.classification !== undefined) await classification.requireLevel(metadata.db, body.classification)
    if ((await store.findBucket(metadata.db, body.name)) !== undefined)
      throw new Problem('name_taken', { detail: TAKEN })
    const backend = await withStore(() => storage.storeOf(provider))
    await withStore(() => backend.createBucket(backendName))
    const row: BucketRow = {
      name: body.name,
      provider_id: provider.id,
      backend_name: backendName,
      created_by: actor.id,
      created_at: clock.iso()
    }
    const bucket = { ...toBucket(row), classification: body.classification ?? null }
    return {
      answer: bucket,
      changes: [{ type: 'bucket', id: row.name, after: bucket }],
      commit: async (tx) => {
        await orNameTaken(() => store.insertBucket(tx, row), TAKEN)
        await bucketMade(tx, row.name, clock.now())
        if (body.classification === undefined) return
        await classification.tag(tx, actor, { resource: resourceOf(row.name), level: body.classification })
      }
    }
  }

  async delete(name: string, force: boolean): Promise<Performed<null>> {
    const { metadata, clock, opener, classification, uses } = this.#needs
    const { row, store: backend, backend: backendName } = await opener.open(name)
    const before = await this.#toBucket(metadata.db, row)
    // Checked before anything is removed: no transaction can restore what the store has removed.
    if (!force) await uses.requireUnused(metadata.db, resourceOf(name), INSIST)
    const removed = await withStore(() => removeBucket(backend, backendName, force))
    for (let cursor: string | undefined; ; ) {
      const { rows, nextCursor } = await store.listUploads(metadata.db, name, {
        limit: 1000,
        ...(cursor && { cursor })
      })
      for (const { key, store_upload_id: uploadId } of rows) {
        if (supportsMultipart(backend))
          await backend.abortUpload({ bucket: backendName, key, uploadId }).catch(ignoreStore)
      }
      if (nextCursor === null) break
      cursor = nextCursor
    }
    return {
      answer: null,
      changes: [{ type: 'bucket', id: name, before: { ...before, objectsDeleted: removed } }],
      commit: async (tx) => {
        await classification.forget(tx, resourceOf(name))
        await store.deleteBucket(tx, name)
        await bucketDeleted(tx, name, clock.now())
      }
    }
  }

  async #toBucket(db: Db, row: BucketRow): Promise<Bucket> {
    const [bucket] = await this.#toBuckets(db, [row])
    return bucket as Bucket
  }

  async #toBuckets(db: Db, rows: readonly BucketRow[]): Promise<Bucket[]> {
    const levels = await this.#needs.classification.levelsOf(
      db,
      rows.map(({ name }) => resourceOf(name))
    )
    return rows.map((row, i) => ({ ...toBucket(row), classification: levels[i] ?? null }))
  }
}

/** Removes a bucket; answers how many objects were removed with it. */
async function removeBucket(backend: ObjectStore, bucket: string, force: boolean): Promise<number> {
  let removed = 0
  for (let emptyings = 0; ; emptyings++) {
    try {
      await backend.deleteBucket(bucket)
      return removed
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      // The bucket was removed behind our back, so only our row is left to delete.
      if (error.code === 'no_such_bucket') return removed
      if (error.code !== 'bucket_not_empty' || !force || emptyings === MAX_EMPTYINGS) throw error
      removed += await emptyBucket(backend, bucket)
    }
  }
}

async function emptyBucket(backend: ObjectStore, bucket: string): Promise<number> {
  let removed = 0
  for (;;) {
    const { entries } = await backend.list(bucket, { prefix: '', folders: false, limit: MAX_DELETED_AT_ONCE })
    const keys = entries.map((entry) => ('key' in entry ? entry.key : entry.folder))
    if (keys.length === 0) return removed
    const [failure] = await backend.delete(bucket, keys)
    if (failure !== undefined)
      throw new StoreError('access_denied', `${failure.key} can’t be deleted: ${failure.message}`)
    removed += keys.length
  }
}

/** That an upload can't be aborted does not matter: its bucket is going away. */
function ignoreStore(error: unknown): void {
  if (!(error instanceof StoreError)) throw error
}

const TAKEN = 'There is a bucket with this name; choose another.'

const resourceOf = (name: string) => ({ type: 'bucket' as const, id: name })
const INSIST = 'send force=true to insist, which also deletes what is in it'

function toBucket(row: BucketRow): Omit<Bucket, 'classification'> {
  return { name: row.name, creationDate: row.created_at, providerId: row.provider_id }
}
