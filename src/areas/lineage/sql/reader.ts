import { createHash } from 'node:crypto'
import { Budget } from '../../../data/budget.ts'
import { DataError } from '../../../data/errors.ts'
import { Gate } from '../../../data/gate.ts'
import type { DataPlane } from '../../../data/plane.ts'
import { BoundedMap } from '../../../engines/bounded-map.ts'
import {
  DialectThread,
  type KnownTables,
  type OtherDialect,
  type StatementLineage
} from '../../../engines/sql-lineage/index.ts'
import { withData } from '../../../http/data-problems.ts'

/** With the waiting; the thread has a limit of its own for each statement. */
const TIMEOUT_MS = 30_000
const MOST_WAITING = 32
/** What is remembered of statements, in characters: the same ones are sent with every run of a job. */
const MAX_REMEMBERED_CHARS = 8 * 1024 * 1024

export interface Asked {
  readonly sql: string
  readonly dialect: 'duckdb' | OtherDialect
  readonly known: KnownTables
  readonly signal: AbortSignal
}

/** Reads statements outside of the server's own thread: DuckDB's in a process of the data plane, others in one thread. */
export class StatementReader {
  readonly #plane: Pick<DataPlane, 'lineage'>
  readonly #thread = new DialectThread()
  readonly #gate = new Gate(1, MOST_WAITING)
  /** As JSON, which is a fraction of what objects take, and its length their weight. */
  readonly #remembered = new BoundedMap<string, string>(MAX_REMEMBERED_CHARS, ({ length }) => length)

  constructor(plane: Pick<DataPlane, 'lineage'>) {
    this.#plane = plane
  }

  /** Throws a `Problem` where the statement was not even looked at. */
  async read({ sql, dialect, known, signal }: Asked): Promise<StatementLineage> {
    const key = createHash('sha256')
      .update(JSON.stringify([dialect, sql, known]))
      .digest('base64url')
    const before = this.#remembered.get(key)
    if (before !== undefined) return JSON.parse(before) as StatementLineage
    const read = await withData(() =>
      dialect === 'duckdb'
        ? orNotUnderstood(() => this.#plane.lineage({ sql, known, signal }))
        : this.#inTurn(signal, () => this.#thread.lineageOf({ dialect, sql, known }))
    )
    this.#remembered.set(key, JSON.stringify(read))
    return read
  }

  async #inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const budget = new Budget(TIMEOUT_MS, [signal])
    try {
      await this.#gate.enter(budget.signal)
      try {
        return await work()
      } finally {
        this.#gate.leave()
      }
    } finally {
      budget.end()
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

/** What a statement does to the process that reads it. */
const BROKEN = new Set<DataError['code']>(['sql_error', 'out_of_memory', 'process_died'])

async function orNotUnderstood(work: () => Promise<StatementLineage>): Promise<StatementLineage> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DataError && BROKEN.has(error.code))) throw error
    const what = 'The statement is too deep or too large to read.'
    return { reads: [], writes: null, outputs: [], rows: [], notUnderstood: [{ what }] }
  }
}
