import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDiskFull } from '../full-disk.ts'
import type { Reserve } from '../reserve.ts'
import { DatabaseClosed } from './closed.ts'
import type { Db, TransactionOptions } from './index.ts'
import type { SqliteCondition } from './sqlite-condition.ts'
import { sqliteTransactions } from './sqlite-dialect.ts'
import { LogNotFlushed, type SqliteLog } from './sqlite-log.ts'
import { ANY_TABLE } from './written-table.ts'

const MAX_BATCH = 128

/** What makes commits durable. */
export type Log = Pick<SqliteLog, 'flush' | 'close'>

interface Queued {
  work: (tx: Db) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Whether it may be tried once more with the room of the reserve. */
  mayUseReserve: boolean
}

/**
 * The one connection that writes. Transactions that are waiting at the same time share one commit, each within a
 * savepoint of its own: the disk is flushed once for all of them, so that full durability costs a busy server little.
 * Others see what was committed while it is being flushed; whoever wrote it is told afterwards.
 */
export class SqliteWriter {
  readonly #database: DatabaseSync
  readonly #condition: SqliteCondition
  readonly #run: <T>(work: (tx: Db) => Promise<T>) => Promise<T>
  readonly #statements: Record<'begin' | 'commit' | 'save' | 'release', StatementSync>
  readonly #reserve: Pick<Reserve, 'release' | 'fill'>
  readonly #log: Log
  /** Once the log could not be flushed, nothing that follows in it is safe. */
  #lost: LogNotFlushed | undefined
  readonly #queue: Queued[] = []
  /** Transactions for which there was no room, and which may use the reserve. */
  readonly #again: Queued[] = []
  readonly #written = new Set<string>()
  readonly #changes = new Map<string, number>()
  #draining: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(
    database: DatabaseSync,
    log: Log,
    condition: SqliteCondition,
    reserve: Pick<Reserve, 'release' | 'fill'>
  ) {
    this.#database = database
    this.#log = log
    this.#condition = condition
    this.#reserve = reserve
    // Compiled once: they are run around every transaction.
    this.#statements = {
      begin: database.prepare('begin immediate'),
      commit: database.prepare('commit'),
      save: database.prepare('savepoint one'),
      release: database.prepare('release one')
    }
    this.#run = sqliteTransactions(database, {
      writes: (table) => void this.#written.add(table),
      failed: (error) => condition.failed(error)
    })
  }

  transaction<T>(work: (tx: Db) => Promise<T>, { makesRoom = false }: TransactionOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closing !== undefined) throw new DatabaseClosed()
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject, mayUseReserve: makesRoom })
      this.#draining ??= this.#drain()
    })
  }

  /** Resolves when all earlier transactions are committed; later ones are refused. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#draining
      this.#database.close()
      this.#log.close()
    })()
    return this.#closing
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Waits a turn, so that every request that has already arrived joins this commit.
      await nextTurn()
      await this.#commitBatch(this.#queue)
      if (this.#again.length > 0) await this.#commitAgain()
    }
    this.#draining = undefined
  }

  async #commitAgain(): Promise<void> {
    const deletions = this.#again.splice(0)
    this.#reserve.release()
    while (deletions.length > 0) await this.#commitBatch(deletions)
    this.#reserve.fill()
  }

  async #commitBatch(queue: Queued[]): Promise<void> {
    try {
      if (this.#lost !== undefined) throw this.#lost
      this.#statements.begin.run()
    } catch (error) {
      this.#condition.failed(error)
      // Nothing was committed: the waiting transactions fail, rather than being tried for ever.
      for (const item of queue.splice(0, MAX_BATCH)) this.#fail(item, error)
      return
    }
    this.#written.clear()
    const done: { item: Queued; value: unknown }[] = []
    try {
      for (let taken = 0; taken < MAX_BATCH; taken++) {
        const item = queue.shift()
        if (item === undefined) break
        await this.#runOne(item, (value) => done.push({ item, value }))
      }
      this.#statements.commit.run()
      this.#countChanges()
      await this.#flush()
    } catch (error) {
      this.#condition.failed(error)
      for (const { item } of done) this.#fail(item, error)
      if (this.#database.isTransaction) this.#database.exec('rollback')
      return
    }
    for (const { item, value } of done) item.resolve(value)
  }

  /** How many commits have written to a table, or to an unknown table. */
  changesOf(table: string): number {
    return (this.#changes.get(table) ?? 0) + (this.#changes.get(ANY_TABLE) ?? 0)
  }

  async #flush(): Promise<void> {
    if (this.#written.size === 0) return
    try {
      await this.#log.flush()
    } catch (error) {
      this.#lost = new LogNotFlushed(error)
      throw this.#lost
    }
  }

  #countChanges(): void {
    for (const table of this.#written) this.#changes.set(table, (this.#changes.get(table) ?? 0) + 1)
  }

  #fail(item: Queued, error: unknown): void {
    const mayTryAgain = item.mayUseReserve && isDiskFull(error)
    item.mayUseReserve = false
    if (mayTryAgain) this.#again.push(item)
    else item.reject(error)
  }

  async #runOne(item: Queued, succeeded: (value: unknown) => void): Promise<void> {
    try {
      this.#statements.save.run()
      const value = await this.#run(item.work)
      this.#statements.release.run()
      succeeded(value)
    } catch (error) {
      this.#fail(item, error)
      // SQLite itself has rolled back the whole transaction (full disk): the others in it fail for the same reason.
      if (!this.#database.isTransaction) throw error
      this.#database.exec('rollback to one; release one')
    }
  }
}
