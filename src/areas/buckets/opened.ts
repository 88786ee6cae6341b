import { BoundedMap } from '../../engines/bounded-map.ts'
import { isWatched, type Metadata } from '../../engines/metadata/index.ts'
import type { ObjectStore } from '../../engines/objects/index.ts'
import { Problem } from '../../errors.ts'
import type { Storage } from '../storage/index.ts'
import type { BucketRow } from './migrations.ts'
import { findBucket } from './store.ts'
import { withStore } from './store-problems.ts'

/** A bucket with the store that keeps it. */
export interface OpenedBucket {
  readonly row: BucketRow
  readonly store: ObjectStore
  /** The store's own name for the bucket. */
  readonly backend: string
}

const MAX_KEPT = 1000

/** Finds buckets together with their stores, and remembers them while the tables do not change. */
export class BucketOpener {
  readonly #metadata: Metadata
  readonly #storage: Storage
  readonly #kept = new BoundedMap<string, OpenedBucket>(MAX_KEPT)
  #keptAt: string | undefined

  constructor(metadata: Metadata, storage: Storage) {
    this.#metadata = metadata
    this.#storage = storage
  }

  /** The row of a bucket; throws where it does not exist. */
  async require(name: string): Promise<BucketRow> {
    const row = await findBucket(this.#metadata.db, name)
    if (row === undefined) throw new Problem('not_found', { detail: 'There is no such bucket.' })
    return row
  }

  async exists(name: string): Promise<boolean> {
    return (await findBucket(this.#metadata.db, name)) !== undefined
  }

  async open(name: string): Promise<OpenedBucket> {
    const at = this.#stamp()
    if (at !== this.#keptAt) this.#kept.clear()
    this.#keptAt = at
    return this.#kept.get(name) ?? this.#look(name, at)
  }

  /** Undefined where there is no such bucket. */
  async find(name: string): Promise<OpenedBucket | undefined> {
    try {
      return await this.open(name)
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return undefined
      throw error
    }
  }

  async #look(name: string, at: string | undefined): Promise<OpenedBucket> {
    const row = await this.require(name)
    const provider = await this.#storage.providerOf(this.#metadata.db, row.provider_id)
    const opened = { row, store: await withStore(() => this.#storage.storeOf(provider)), backend: row.backend_name }
    if (at !== undefined && at === this.#keptAt) this.#kept.set(name, opened)
    return opened
  }

  /** Undefined where other processes may change the tables without this one noticing. */
  #stamp(): string | undefined {
    if (!isWatched(this.#metadata)) return undefined
    return `${this.#metadata.changesOf('buckets')},${this.#metadata.changesOf('storage_providers')}`
  }
}
