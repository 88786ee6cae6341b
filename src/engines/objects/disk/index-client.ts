import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../errors.ts'
import { type ObjectRow, openIndex } from './database.ts'
import type { Layout } from './layout.ts'
import type { IndexRequest, NumberedAnswer, NumberedRequest } from './requests.ts'

/** To the database every blob is greater than every text. */
const BEHIND_ALL_TEXT = new Uint8Array(0)

interface PageOfRows {
  readonly from: string
  /** Undefined: no end. */
  readonly end: string | undefined
  readonly limit: number
}

interface Pending {
  resolve(): void
  reject(error: Error): void
}

/** The index as the store sees it: look-ups here, which take microseconds; changes on a thread, which wait for the disk. */
export class IndexClient {
  readonly #worker: Worker
  readonly #reader: DatabaseSync
  readonly #find: StatementSync
  readonly #following: StatementSync
  readonly #findBucket: StatementSync
  readonly #page: StatementSync
  readonly #pending = new Map<number, Pending>()
  readonly #ended: Promise<void>
  #fault: Error | undefined
  #next = 0

  private constructor(layout: Layout, worker: Worker) {
    this.#worker = worker
    this.#reader = openIndex(layout.index, 'read')
    this.#find = this.#reader.prepare(
      `select ${FOUND} from objects left join inlined on id = inline where bucket = ? and key = ?`
    )
    this.#following = this.#reader.prepare(
      `select ${FOUND} from objects left join inlined on id = inline where (bucket, key) > (?, ?)
      order by bucket, key limit 1`
    )
    this.#findBucket = this.#reader.prepare('select 1 from buckets where name = ?')
    this.#page = this.#reader.prepare(
      'select key, size, modified_at, md5 from objects where bucket = ? and key >= ? and key < ? order by key limit ?'
    )
    worker.on('message', (answers: NumberedAnswer[]) => this.#hear(answers))
    this.#ended = new Promise((resolve) => {
      worker.once('error', (error) => {
        this.#fault = error as Error
      })
      worker.once('exit', () => {
        const fault = new StoreError('store_failed', 'The index of the objects has ended', { cause: this.#fault })
        this.#fault = fault
        for (const { reject } of this.#pending.values()) reject(fault)
        this.#pending.clear()
        resolve()
      })
    })
    worker.unref()
  }

  /** Resolves when what a crash may have left behind is mended. */
  static async open(layout: Layout): Promise<IndexClient> {
    const worker = new Worker(new URL('./index-worker.ts', import.meta.url), { workerData: { folder: layout.folder } })
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve())
      worker.once('error', reject)
    })
    worker.removeAllListeners('error')
    return new IndexClient(layout, worker)
  }

  find(bucket: string, key: string): FoundRow | undefined {
    this.#look()
    return this.#find.get(bucket, key) as FoundRow | undefined
  }

  /** The one behind it, in the order of buckets and keys. */
  next(bucket: string, key: string): FoundRow | undefined {
    this.#look()
    return this.#following.get(bucket, key) as FoundRow | undefined
  }

  hasBucket(bucket: string): boolean {
    this.#look()
    return this.#findBucket.get(bucket) !== undefined
  }

  /** Rows from `from` up to, but not including, `end`, in the order of UTF-8. */
  page(bucket: string, { from, end, limit }: PageOfRows): ListedRow[] {
    this.#look()
    return this.#page.all(bucket, from, end ?? BEHIND_ALL_TEXT, limit) as unknown as ListedRow[]
  }

  /** Resolves when the change is on the disk. */
  change(request: IndexRequest): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault)
    return new Promise((resolve, reject) => {
      const id = this.#next++
      if (this.#pending.size === 0) this.#worker.ref()
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage({ id, request } satisfies NumberedRequest)
    })
  }

  async close(): Promise<void> {
    this.#worker.ref()
    this.#worker.postMessage('close')
    await this.#ended
    this.#reader.close()
  }

  /** Nobody else writes, so what was seen holds until the thread tells of a change: taking locks takes most of a look. */
  #look(): void {
    if (!this.#reader.isTransaction) this.#reader.exec('begin')
  }

  #hear(answers: readonly NumberedAnswer[]): void {
    if (this.#reader.isTransaction) this.#reader.exec('commit')
    for (const { id, error } of answers) {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (error === undefined) pending?.resolve()
      else pending?.reject(new StoreError(error.code, error.message))
    }
    if (this.#pending.size === 0) this.#worker.unref()
  }
}

/** With the content itself where it lies in the index, or the checksums of its file where there are any. */
export type FoundRow = ObjectRow & {
  readonly content: Uint8Array | null
  readonly sums: Uint8Array | null
  /** What is wrong with it, where something is known to be. */
  readonly damaged: string | null
}

const FOUND = `objects.*, content,
  (select sums from block_sums where block_sums.file = objects.file) as sums,
  (select what from damaged where damaged.bucket = objects.bucket and damaged.key = objects.key) as damaged`

export type ListedRow = Pick<ObjectRow, 'key' | 'size' | 'modified_at' | 'md5'>
