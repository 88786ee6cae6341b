import { type Budget, reasonOf } from './budget.ts'
import type { DataColumn, DataRow, Reduced } from './sql-process/messages.ts'
import type { SqlProcess } from './sql-process/process.ts'

interface Parts {
  readonly process: SqlProcess
  readonly budget: Budget
  release(): Promise<void>
  /** Called on an error, before everything is given back. */
  onFailure(): void
}

/**
 * The rows of a query, which can be read once. Reading to the end, leaving the loop, an error and `close` all give
 * back what the query holds; until then it keeps a process and a place at the gate.
 */
export class DataAnswer implements AsyncIterable<readonly DataRow[]> {
  readonly columns: readonly DataColumn[]
  readonly #process: SqlProcess
  readonly #budget: Budget
  readonly #release: () => Promise<void>
  readonly #onFailure: () => void
  #truncated = false
  #reduced: Reduced | null = null
  #rowCount = 0

  constructor(columns: readonly DataColumn[], { process, budget, release, onFailure }: Parts) {
    this.columns = columns
    this.#process = process
    this.#budget = budget
    this.#release = release
    this.#onFailure = onFailure
    budget.pause()
  }

  /** Whether there were more rows than allowed; known at the end. */
  get truncated(): boolean {
    return this.#truncated
  }

  /** How many rows there were where a picture needed fewer; known at the end. */
  get reduced(): Reduced | null {
    return this.#reduced
  }

  /** The number of rows read so far. */
  get rowCount(): number {
    return this.#rowCount
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly DataRow[]> {
    try {
      for (;;) {
        this.#budget.resume()
        const reply = await this.#process.ask({ kind: 'next' }, this.#budget.signal)
        this.#budget.pause()
        if (reply.kind === 'end') {
          this.#truncated = reply.truncated
          this.#reduced = reply.reduced
        }
        if (reply.kind !== 'rows') return
        this.#rowCount += reply.rows.length
        yield reply.rows
      }
    } catch (error) {
      this.#onFailure()
      throw this.#budget.signal.aborted ? reasonOf(this.#budget.signal) : error
    } finally {
      await this.#release()
    }
  }

  /** All rows at once; for answers that `maxRows` keeps small. */
  async rows(): Promise<DataRow[]> {
    const rows: DataRow[] = []
    for await (const batch of this) for (const row of batch) rows.push(row)
    return rows
  }

  /** Gives back what the query holds, for answers that are not read to the end. */
  close(): Promise<void> {
    return this.#release()
  }
}
