import { setTimeout as delay } from 'node:timers/promises'
import { type Batch, ROW, type Source, type SourceContext } from '../../contract/source.ts'
import { type Column, columnsOf } from '../../duckdb/columns.ts'
import { selectList } from '../../duckdb/expression.ts'
import type { GenerateConfig } from './source.ts'

const MAX_BATCH_ROWS = 100_000
/** How often batches come where a rate is given. */
const BATCH_EVERY_MS = 200

export class Generator implements Source {
  readonly #context: SourceContext<GenerateConfig>
  #next: number
  #columns: readonly Column[] | undefined
  /** When record `from` was due, at a given rate. */
  readonly #since: { ms: number; from: number }

  constructor(context: SourceContext<GenerateConfig>) {
    this.#context = context
    this.#next = (context.position as { next: number } | undefined)?.next ?? 0
    this.#since = { ms: context.elapsed(), from: this.#next }
  }

  get gathers(): boolean {
    return this.#context.config.ratePerS !== undefined
  }

  async next({ signal }: { signal: AbortSignal }): Promise<Batch | 'ended'> {
    const { config } = this.#context
    const rows = Math.min(await this.#due(signal), (config.count ?? Number.POSITIVE_INFINITY) - this.#next)
    if (rows <= 0) return 'ended'
    const next = this.#next + rows
    const sql = `SELECT ${selectList(config.fields)} FROM (SELECT range AS n FROM range(${this.#next}, ${next}))`
    this.#columns ??= await columnsOf(this.#context.database, sql) // the same for every batch
    this.#next = next // not before: what failed is asked for again
    const numbered = sql.replace('SELECT ', `SELECT n AS ${ROW}, `)
    const originsOf = async (numbers: readonly number[]) => numbers.map((n) => ({ n }))
    return {
      parts: [{ sql, numbered, originsOf, rows, columns: this.#columns }],
      position: { next },
      release: async () => {}
    }
  }

  async close(): Promise<void> {}

  /** How many are due by now; waits until some are. */
  async #due(signal: AbortSignal): Promise<number> {
    const { ratePerS } = this.#context.config
    if (ratePerS === undefined) return MAX_BATCH_ROWS
    for (;;) {
      const { ms, from } = this.#since
      const due = Math.floor(((this.#context.elapsed() - ms) / 1000) * ratePerS) + from - this.#next
      if (due >= 1) return Math.min(due, MAX_BATCH_ROWS)
      await delay(Math.max(BATCH_EVERY_MS, Math.min(1000 / ratePerS, 1000)), undefined, { signal })
    }
  }
}
