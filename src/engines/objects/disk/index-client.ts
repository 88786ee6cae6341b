import { StoreError } from '../errors.ts'
import { type FoundRow, IndexReader, type ListedRow, type PageOfRows } from './index-reader.ts'
import { IndexThread } from './index-thread.ts'
import type { Layout } from './layout.ts'
import type { IndexRequest } from './requests.ts'

/** After the index could not be opened, callers do not try again for this long. */
const REST_MS = 500

interface Opened {
  readonly reader: IndexReader
  readonly thread: IndexThread
}

/**
 * The index for the store: it looks up here; changes are made on a thread, which waits for the disk. A thread that
 * has ended is replaced when it is needed.
 */
export class IndexClient {
  readonly #layout: Layout
  #opened: Opened
  #reopening: Promise<IndexThread> | undefined
  #failed: { readonly error: unknown; readonly atMs: number } | undefined
  #isClosed = false

  private constructor(layout: Layout, opened: Opened) {
    this.#layout = layout
    this.#opened = opened
  }

  /** Resolves when everything that a crash may have left was repaired. */
  static async open(layout: Layout): Promise<IndexClient> {
    return new IndexClient(layout, await openBoth(layout, 'all'))
  }

  find(bucket: string, key: string): FoundRow | undefined {
    return this.#opened.reader.find(bucket, key)
  }

  /** The next object, in the order of buckets and keys. */
  next(bucket: string, key: string): FoundRow | undefined {
    return this.#opened.reader.next(bucket, key)
  }

  hasBucket(bucket: string): boolean {
    return this.#opened.reader.hasBucket(bucket)
  }

  /** Rows from `from` up to, but not including, `end`, in the order of UTF-8. */
  page(bucket: string, asked: PageOfRows): ListedRow[] {
    return this.#opened.reader.page(bucket, asked)
  }

  /** Resolves when the change is on the disk. */
  async change(request: IndexRequest): Promise<void> {
    return (await this.#running()).change(request)
  }

  /** Throws where changes can't be made, even after another try. */
  async requireRunning(): Promise<void> {
    await this.#running()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#reopening?.catch(() => {})
    const { thread, reader } = this.#opened
    if (!thread.hasEnded) await thread.close()
    reader.close()
  }

  async #running(): Promise<IndexThread> {
    const { thread } = this.#opened
    if (!thread.hasEnded) return thread
    if (this.#isClosed) throw new StoreError('store_failed', 'The store of the objects is closed')
    if (this.#failed !== undefined && performance.now() - this.#failed.atMs < REST_MS) throw this.#failed.error
    this.#reopening ??= this.#reopen(thread).finally(() => {
      this.#reopening = undefined
    })
    return this.#reopening
  }

  async #reopen({ abandoned }: IndexThread): Promise<IndexThread> {
    try {
      const { reader } = this.#opened
      this.#opened = await openBoth(this.#layout, abandoned)
      reader.close()
      this.#failed = undefined
      return this.#opened.thread
    } catch (error) {
      this.#failed = { error, atMs: performance.now() }
      throw error
    }
  }
}

async function openBoth(layout: Layout, abandoned: 'all' | readonly string[]): Promise<Opened> {
  let reader: IndexReader | undefined
  const thread = await IndexThread.open(layout, abandoned, () => reader?.renew())
  try {
    reader = new IndexReader(layout)
    return { reader, thread }
  } catch (error) {
    await thread.close()
    throw error
  }
}
