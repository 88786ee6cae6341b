import { Worker } from 'node:worker_threads'
import { type KnownTables, nothingKnown, type StatementLineage } from '../lineage.ts'
import type { OtherDialect } from './dialect.ts'

const LONGEST = 200_000
/** How long a thread may take to begin: on a busy machine much longer than to read any statement, of which that says nothing. */
const START_MS = 60_000
const MAX_MS = 10_000
const MAX_MEMORY_MB = 256
const MOST_WAITING = 1000

/** What the thread tells of a statement: that it begins to read it, then what it has found. */
export type DialectReply = 'begun' | StatementLineage

export interface DialectOrder {
  readonly dialect: OtherDialect
  readonly sql: string
  readonly known: KnownTables
}

const GIVEN_UP = 'The statement is too deep or too large to read.'

/**
 * Statements of other databases, read in a thread of its own, one at a time: their parser is WebAssembly, which a deep
 * statement breaks. A thread that is broken or late is replaced, and the statement told as not understood.
 */
export class DialectThread {
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  async lineageOf(order: DialectOrder): Promise<StatementLineage> {
    if (order.sql.length > LONGEST) return nothingKnown(`The statement has more than ${LONGEST} characters.`)
    if (this.#waiting === MOST_WAITING) return nothingKnown('Too many statements are waiting to be read.')
    this.#waiting++
    const answer = this.#last.then(() => this.#ask(order)).finally(() => this.#waiting--)
    this.#last = answer
    return await answer
  }

  async #ask(order: DialectOrder): Promise<StatementLineage> {
    const worker = this.#worker ?? this.#start()
    const { promise, resolve } = Promise.withResolvers<StatementLineage>()
    const giveUp = () => {
      this.#worker = undefined
      void worker.terminate()
      resolve(nothingKnown(GIVEN_UP))
    }
    let late = setTimeout(giveUp, START_MS)
    const hear = (reply: DialectReply) => {
      if (reply !== 'begun') return resolve(reply)
      clearTimeout(late)
      late = setTimeout(giveUp, MAX_MS)
    }
    worker.on('message', hear).once('error', giveUp).once('exit', giveUp)
    worker.ref()
    worker.postMessage(order)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      worker.unref()
      worker.off('message', hear).off('error', giveUp).off('exit', giveUp)
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
      env: {}
    })
    // Between two statements nobody listens, and a thread that is terminated may still fail.
    worker.on('error', () => {})
    worker.unref()
    this.#worker = worker
    return worker
  }

  async close(): Promise<void> {
    await this.#last
    await this.#worker?.terminate()
    this.#worker = undefined
  }
}
