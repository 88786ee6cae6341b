import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type ObjectRow, openIndex } from './database.ts'
import { indexFault } from './faults.ts'
import type { Layout } from './layout.ts'

/** SQLite sorts every blob after every text. */
const AFTER_ALL_TEXT = new Uint8Array(0)

export interface PageOfRows {
  readonly from: string
  /** Undefined: no end. */
  readonly end: string | undefined
  readonly limit: number
}

/** Look-ups in the index; they take microseconds. */
export class IndexReader {
  readonly #database: DatabaseSync
  readonly #find: StatementSync
  readonly #following: StatementSync
  readonly #findBucket: StatementSync
  readonly #page: StatementSync

  constructor(layout: Layout) {
    this.#database = openIndex(layout.index, 'read')
    this.#find = this.#database.prepare(
      `select ${FOUND} from objects left join inlined on id = inline where bucket = ? and key = ?`
    )
    this.#following = this.#database.prepare(
      `select ${FOUND} from objects left join inlined on id = inline where (bucket, key) > (?, ?)
      order by bucket, key limit 1`
    )
    this.#findBucket = this.#database.prepare('select 1 from buckets where name = ?')
    this.#page = this.#database.prepare(
      'select key, size, modified_at, md5 from objects where bucket = ? and key >= ? and key < ? order by key limit ?'
    )
  }

  find(bucket: string, key: string): FoundRow | undefined {
    return this.#look(() => this.#find.get(bucket, key)) as FoundRow | undefined
  }

  next(bucket: string, key: string): FoundRow | undefined {
    return this.#look(() => this.#following.get(bucket, key)) as FoundRow | undefined
  }

  hasBucket(bucket: string): boolean {
    return this.#look(() => this.#findBucket.get(bucket)) !== undefined
  }

  page(bucket: string, { from, end, limit }: PageOfRows): ListedRow[] {
    return this.#look(() => this.#page.all(bucket, from, end ?? AFTER_ALL_TEXT, limit)) as unknown as ListedRow[]
  }

  /** To be called after a write: what was read before is not valid any more. */
  renew(): void {
    if (this.#database.isTransaction) this.#database.exec('commit')
  }

  close(): void {
    this.#database.close()
  }

  /**
   * Keeps a read transaction open between look-ups, since taking locks is most of their cost. Only the index thread
   * writes, and it tells of every change.
   */
  #look<T>(statement: () => T): T {
    try {
      if (!this.#database.isTransaction) this.#database.exec('begin')
      return statement()
    } catch (error) {
      throw indexFault(error, 'read')
    }
  }
}

/** A row with the content itself if it is in the index, or with the checksums of its file if there are any. */
export type FoundRow = ObjectRow & {
  readonly content: Uint8Array | null
  readonly sums: Uint8Array | null
  /** What is known to be wrong with the content. */
  readonly damaged: string | null
}

const FOUND = `objects.*, content,
  (select sums from block_sums where block_sums.file = objects.file) as sums,
  (select what from damaged where damaged.bucket = objects.bucket and damaged.key = objects.key) as damaged`

export type ListedRow = Pick<ObjectRow, 'key' | 'size' | 'modified_at' | 'md5'>
