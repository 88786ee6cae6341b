import { type Budget, reasonOf } from './budget.ts'
import type { QueryLimits } from './limits.ts'
import type { DataColumn, DataRow, Reply, RunRequest } from './sql-process/messages.ts'
import type { SqlProcess } from './sql-process/process.ts'

/** A process that has been given its data. */
export interface Taken {
  readonly process: SqlProcess
  readonly request: RunRequest
  readonly budget: Budget
  release(): Promise<void>
  onFailure(): void
}

/** A statement over the relations of the session, whose answer has to be small. */
export interface SessionQuery {
  readonly sql: string
  readonly limits?: Partial<QueryLimits> | undefined
}

export interface SessionAnswer {
  readonly columns: readonly DataColumn[]
  rows(): Promise<DataRow[]>
}

interface Needs {
  take(query: SessionQuery): Promise<Taken>
  /** To be called once the first query has begun to answer. */
  taken(): void
  /** The time of another query, and the rows that it may answer. */
  budgetOf(limits: Partial<QueryLimits>): { budget: Budget; maxRows: number }
}

/**
 * Asks one thing after the other of the same data. One process answers all of it, since a start takes longer than most
 * queries; where a query fails, the next one gets another process. Whoever has it must close it.
 */
export class DataSession {
  readonly #needs: Needs
  #taken: Taken | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async query({ sql, limits = {} }: SessionQuery): Promise<SessionAnswer> {
    const isFirst = this.#taken === undefined
    this.#taken ??= await this.#needs.take({ sql, limits })
    const { process, request, onFailure, ...taken } = this.#taken
    const { budget, maxRows } = isFirst
      ? { budget: taken.budget, maxRows: request.limits.maxRows }
      : this.#needs.budgetOf(limits)
    try {
      const question = { ...request, sql, parameters: [], limits: { ...request.limits, maxRows } }
      const reply = await process.ask({ kind: 'run', request: question }, budget.signal)
      if (isFirst) this.#needs.taken()
      const rows = await readAll(process, budget)
      return { columns: reply.kind === 'columns' ? reply.columns : [], rows: async () => rows }
    } catch (error) {
      onFailure()
      await this.close()
      throw budget.signal.aborted ? reasonOf(budget.signal) : error
    } finally {
      budget.end()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async close(): Promise<void> {
    const taken = this.#taken
    this.#taken = undefined
    await taken?.release()
  }
}

async function readAll(process: SqlProcess, budget: Budget): Promise<DataRow[]> {
  const rows: DataRow[] = []
  for (;;) {
    const reply: Reply = await process.ask({ kind: 'next' }, budget.signal)
    if (reply.kind !== 'rows') return rows
    for (const row of reply.rows) rows.push(row)
  }
}
