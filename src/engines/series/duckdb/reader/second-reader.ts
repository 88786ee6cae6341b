import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { SeriesError } from '../../errors.ts'
import type { Query } from '../../query/plan.ts'
import type { TagRows } from '../../query/rows.ts'
import type { Slab } from '../memory/blocks.ts'
import type { Snapshot } from './messages.ts'
import { unpackRows } from './packed-rows.ts'
import type { SharedRows, SharedWork } from './second-reader-worker.ts'

/** For fewer tags another thread is not worth the messages. */
const MIN_TAGS = 256
/** The second reader's share: the reader also has to write the answer. */
const SHARE = 0.55

interface Incoming {
  readonly batches: (readonly TagRows[])[]
  isEnded: boolean
  error: Error | undefined
  wake: (() => void) | undefined
}

/** Lets a second thread compute some of the tags of a wide query. The first query that is wide enough starts it. */
export class SecondReader {
  readonly #folder: string
  readonly #incoming = new Map<number, Incoming>()
  #worker: Worker | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** How many of the tags, from the first on, the reader should compute itself. */
  ownPart({ bucket }: Query, { tags }: Snapshot): number {
    const isWide = bucket !== undefined && tags.length >= MIN_TAGS && availableParallelism() > 1
    return isWide ? Math.ceil(tags.length * (1 - SHARE)) : tags.length
  }

  /** Begins at once; the rows are taken later, in the order of the tags. */
  begin(id: number, query: Query, snapshot: Snapshot, slabs: ReadonlyMap<number, readonly Slab[]>) {
    const incoming: Incoming = { batches: [], isEnded: false, error: undefined, wake: undefined }
    this.#incoming.set(id, incoming)
    this.#worker ??= this.#start()
    this.#worker.postMessage({ kind: 'work', id, query, snapshot, slabs } satisfies SharedWork)
    return this.#rows(id, incoming)
  }

  /** Cancels a query. A query that has already ended may be cancelled too. */
  cancel(id: number): void {
    const incoming = this.#incoming.get(id)
    if (incoming === undefined) return
    this.#worker?.postMessage({ kind: 'cancel', id } satisfies SharedWork)
    this.#end(incoming)
  }

  /** Closes files that are not needed any more. */
  forget(paths: readonly string[]): void {
    this.#worker?.postMessage({ kind: 'gone', paths } satisfies SharedWork)
  }

  async *#rows(id: number, incoming: Incoming): AsyncGenerator<readonly TagRows[]> {
    try {
      for (;;) {
        while (incoming.batches.length === 0 && !incoming.isEnded) {
          await new Promise<void>((wake) => {
            incoming.wake = wake
          })
        }
        if (incoming.error !== undefined) throw incoming.error
        const batch = incoming.batches.shift()
        if (batch === undefined) return
        yield batch
      }
    } finally {
      this.#incoming.delete(id)
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./second-reader-worker.ts', import.meta.url), {
      workerData: { folder: this.#folder }
    })
    worker.on('message', ({ id, packed, rows, error }: SharedRows) => {
      const incoming = this.#incoming.get(id)
      if (incoming === undefined) return
      if (error !== undefined) this.#end(incoming, new SeriesError(error.code, error.message, error.facts))
      else if (packed !== undefined) incoming.batches.push(unpackRows(packed))
      else if (rows !== undefined) incoming.batches.push(rows)
      else this.#end(incoming)
      incoming.wake?.()
    })
    worker.once('error', (error) => {
      this.#worker = undefined
      for (const incoming of this.#incoming.values()) this.#end(incoming, error as Error)
    })
    return worker
  }

  #end(incoming: Incoming, error?: Error): void {
    incoming.isEnded = true
    incoming.error = error
    incoming.wake?.()
  }
}
