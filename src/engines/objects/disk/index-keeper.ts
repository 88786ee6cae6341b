import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isDiskFull } from '../../full-disk.ts'
import { Reserve } from '../../reserve.ts'
import { StoreError } from '../errors.ts'
import { openIndex } from './database.ts'
import { indexFault, storeFull } from './faults.ts'
import { HOLD_LIMIT_MS, isHeld } from './hold.ts'
import { requireIndex, requireKnownContents } from './known-contents.ts'
import { contentFolder, contentPath, type Layout, makeFolders, temporaryPath } from './layout.ts'
import type { IndexRequest, NumberedAnswer, NumberedRequest, ThreadSetup } from './requests.ts'
import { emptyBatch, IndexWriter, type Moves } from './writer.ts'

const SETTLE_AFTER_MS = 200
/** The delay after a failure: nobody waits for this work, and a full disk stays full for a while. */
const SETTLE_AGAIN_MS = 2000

/**
 * Changes the index. All requests that arrive while a transaction is written share the next one, and one flush of the
 * disk. For content in a file the order is: flushed under its temporary name, then committed, then renamed; a crash
 * in between is repaired when the store is opened.
 */
export class IndexKeeper {
  readonly #layout: Layout
  readonly #answer: (answers: readonly NumberedAnswer[]) => void
  readonly #database: DatabaseSync
  readonly #reserve: Reserve
  readonly #writer: IndexWriter
  readonly #arrived: StatementSync
  readonly #left: StatementSync
  readonly #waiting: NumberedRequest[] = []
  #unsettled: Moves = { arrived: [], left: [] }
  #timer: NodeJS.Timeout | undefined
  #settling: Promise<void> = Promise.resolve()

  private constructor(layout: Layout, answer: (answers: readonly NumberedAnswer[]) => void) {
    this.#layout = layout
    this.#answer = answer
    this.#database = openIndex(layout.index, 'write')
    makeFolders(layout)
    this.#reserve = new Reserve(layout.index)
    this.#writer = new IndexWriter(this.#database)
    this.#arrived = this.#database.prepare('delete from arriving where file = ?')
    this.#left = this.#database.prepare('delete from leaving where file = ?')
  }

  static async open(
    layout: Layout,
    abandoned: ThreadSetup['abandoned'],
    answer: (answers: readonly NumberedAnswer[]) => void
  ): Promise<IndexKeeper> {
    requireIndex(layout)
    const keeper = new IndexKeeper(layout, answer)
    try {
      await keeper.#mend(abandoned)
      requireKnownContents(layout, keeper.#database)
    } catch (error) {
      clearTimeout(keeper.#timer)
      keeper.#database.close()
      throw error
    }
    keeper.#reserve.fill()
    return keeper
  }

  take(request: NumberedRequest): void {
    this.#waiting.push(request)
    if (this.#waiting.length === 1) setImmediate(() => this.#commitWaiting())
  }

  async close(): Promise<void> {
    this.#commitWaiting()
    await this.#settling
    clearTimeout(this.#timer)
    await this.#settle()
    clearTimeout(this.#timer) // contents that are held are left to the next process that opens the store
    this.#database.close()
  }

  #commitWaiting(): void {
    const batch = this.#waiting.splice(0)
    if (batch.length === 0) return
    try {
      this.#commit(batch)
    } catch (error) {
      if (isDiskFull(error)) this.#commitDeletions(batch)
      else this.#refuse(batch, indexFault(error, 'written'))
    }
  }

  /** Commits deletions, which may use the last room; all other requests have to wait. */
  #commitDeletions(batch: readonly NumberedRequest[]): void {
    const { deletions = [], others = [] } = Object.groupBy(batch, ({ request }) =>
      makesRoom(request) ? 'deletions' : 'others'
    )
    this.#refuse(others, storeFull())
    if (deletions.length === 0) return
    try {
      this.#reserve.use(() => this.#commit(deletions))
    } catch (error) {
      this.#refuse(deletions, indexFault(error, 'written'))
    }
  }

  #refuse(batch: readonly NumberedRequest[], { code, message }: StoreError): void {
    this.#answer(batch.map(({ id }) => ({ id, fault: { code, message } })))
  }

  #commit(batch: readonly NumberedRequest[]): void {
    const moves = emptyBatch()
    const answers = this.#transaction(() => {
      const made = batch.map(({ id, request }): NumberedAnswer => {
        try {
          if (request.op === 'probe') this.#requireRoom()
          this.#writer.run(request, moves)
          return { id }
        } catch (error) {
          if (!(error instanceof StoreError)) throw error
          return { id, fault: { code: error.code, message: error.message } }
        }
      })
      this.#writer.keepTotals(moves)
      if (moves.arrived.length > 0) flushFolder(this.#layout.temporary)
      return made
    })
    this.#unsettled.arrived.push(...moves.arrived)
    this.#unsettled.left.push(...moves.left)
    for (const file of moves.arrived) this.#tryToPlace(file)
    this.#answer(answers)
    if (this.#unsettled.arrived.length + this.#unsettled.left.length > 0) this.#settleSoon(SETTLE_AFTER_MS)
  }

  #transaction<T>(work: () => T): T {
    this.#database.exec('begin immediate')
    try {
      const made = work()
      this.#database.exec('commit')
      return made
    } catch (error) {
      // On a full disk SQLite may have rolled back by itself.
      if (this.#database.isTransaction) this.#database.exec('rollback')
      throw error
    }
  }

  /** Throws unless the reserve for deletions is there: it has to be before any other write is accepted. */
  #requireRoom(): void {
    try {
      this.#reserve.requireRoom()
    } catch (error) {
      throw indexFault(error, 'written')
    }
  }

  /**
   * Renames a content file after its commit. One that can't be renamed now is read under its temporary name, and
   * renamed later.
   */
  #tryToPlace(file: string): void {
    try {
      this.#place(file)
    } catch {
      // `#settle` tries again until it succeeds
    }
  }

  #place(file: string): void {
    const path = temporaryPath(this.#layout, file)
    try {
      renameSync(path, contentPath(this.#layout, file))
    } catch (error) {
      if (existsSync(path)) throw error // otherwise it was moved before
    }
  }

  #settleSoon(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#settling = this.#settling.then(() => this.#settle())
    }, afterMs)
  }

  /**
   * Forgets the renames that have certainly reached the disk. Nobody waits for this: removing a large file takes a
   * while.
   */
  async #settle(): Promise<void> {
    const done = this.#unsettled
    this.#unsettled = { arrived: [], left: [] }
    try {
      await this.#finish(done)
    } catch {
      // All of this can be repeated; if the process ends before, the next opening of the store does it.
      this.#unsettled.arrived.unshift(...done.arrived)
      this.#unsettled.left.unshift(...done.left)
      this.#settleSoon(SETTLE_AGAIN_MS)
    }
  }

  async #finish({ arrived, left }: Moves): Promise<void> {
    const layout = this.#layout
    for (const file of arrived) this.#place(file)
    for (const folder of new Set(arrived.map((file) => contentFolder(layout, file)))) flushFolder(folder)
    const held = isHeld(layout)
    if (!held) for (const file of left) await rm(contentPath(layout, file), { force: true })
    if (arrived.length > 0 || (!held && left.length > 0)) this.#forget(arrived, held ? [] : left)
    if (!this.#reserve.isWhole) this.#reserve.fill()
    if (!held || left.length === 0) return
    this.#unsettled.left.push(...left)
    this.#settleSoon(HOLD_LIMIT_MS / 10)
  }

  #forget(arrived: readonly string[], left: readonly string[]): void {
    const forget = () =>
      this.#transaction(() => {
        for (const file of arrived) this.#arrived.run(file)
        for (const file of left) this.#left.run(file)
      })
    try {
      forget()
    } catch (error) {
      if (!isDiskFull(error)) throw error
      this.#reserve.use(forget)
    }
  }

  /** Finishes what a crash interrupted: committed files are put in their place, others are removed. */
  async #mend(abandoned: ThreadSetup['abandoned']): Promise<void> {
    const isArriving = this.#database.prepare('select 1 from arriving where file = ?')
    for (const file of abandoned === 'all' ? readdirSync(this.#layout.temporary) : abandoned) {
      if (isArriving.get(file) === undefined) rmSync(temporaryPath(this.#layout, file), { force: true })
    }
    const filesIn = (table: string) =>
      this.#database
        .prepare(`select file from ${table}`)
        .all()
        .map(({ file }) => file as string)
    this.#unsettled = { arrived: filesIn('arriving'), left: filesIn('leaving') }
    await this.#settle()
  }
}

function makesRoom({ op }: IndexRequest): boolean {
  return op === 'delete' || op === 'deleteBucket'
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
