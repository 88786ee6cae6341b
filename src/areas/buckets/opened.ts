import type { Db, Metadata } from '../../engines/metadata/index.ts'
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
  /** What the store calls it. */
  readonly backend: string
}

/** Finds buckets for whoever works with what is in them. */
export class BucketOpener {
  readonly #metadata: Metadata
  readonly #storage: Storage

  constructor(metadata: Metadata, storage: Storage) {
    this.#metadata = metadata
    this.#storage = storage
  }

  async open(name: string, db: Db = this.#metadata.db): Promise<OpenedBucket> {
    const row = await findBucket(db, name)
    if (row === undefined) throw new Problem('not_found', { detail: 'There is no such bucket.' })
    const provider = await this.#storage.providerOf(db, row.provider_id)
    return { row, store: await withStore(() => this.#storage.storeOf(provider)), backend: row.backend_name }
  }
}
