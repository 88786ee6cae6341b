import { createHash } from 'node:crypto'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { DialectThread, StatementLineage } from '../../../engines/sql-lineage/index.ts'
import type { PipelineNode, SourceStatement } from '../contract/node-type.ts'
import { parseSql } from '../duckdb/parse-sql.ts'
import { readingSelects } from '../lineage/read-select.ts'
import type { SeenColumns } from '../protocol/checkpoint.ts'
import type { RunLineage } from '../protocol/run-lineage.ts'
import type { LogLine } from '../protocol/run-spec.ts'
import { GivenColumns } from './given-columns.ts'

/** Records of ever new shapes are not told of with each checkpoint. */
const AGAIN_AFTER_MS = 10_000

interface Needs {
  readonly pipelineId: string
  /** Inputs before what they feed. */
  readonly order: readonly PipelineNode[]
  /** What it had seen when it was interrupted, and which nodes remember records of runs before it. */
  readonly seen: SeenColumns
  /** On which nothing else runs when it is asked. */
  database(): DuckDBConnection
  elapsed(): number
  log(line: LogLine): void
}

/** What there is to say of the columns of a run, as they become known. */
export class LineageNews {
  readonly columns: GivenColumns
  readonly #needs: Needs
  #version = 0
  #hash = ''
  #toldMs: number | undefined
  #hasWarned = false
  /** What the statements of sources say; there are as many as there are sources. */
  readonly #queries = new Map<string, StatementLineage>()

  constructor(needs: Needs) {
    this.#needs = needs
    this.columns = new GivenColumns(needs.seen.given)
  }

  /** For the checkpoint, so that a run that goes on from there knows as much. */
  get seen(): SeenColumns | undefined {
    const given = this.columns.toKeep()
    return given && { given, restored: this.#needs.seen.restored }
  }

  /** What is to be told with the checkpoint that is being made; undefined where all has been told. */
  async next(last: boolean): Promise<RunLineage | undefined> {
    const { elapsed } = this.#needs
    const { version } = this.columns
    const isSoon = this.#toldMs !== undefined && elapsed() - this.#toldMs < AGAIN_AFTER_MS
    if (version === this.#version || (isSoon && !last)) return undefined
    this.#version = version
    this.#toldMs = elapsed()
    try {
      return await this.#compute()
    } catch (error) {
      this.#version = 0 // it is tried again, at the end at the latest
      this.#warn(`Which columns come from which is not known: ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }

  async #compute(): Promise<RunLineage | undefined> {
    const { pipelineId, order, seen, database } = this.#needs
    const restored = new Set(seen.restored)
    // Not before: most of the time that a short run takes is for what it loads.
    const [{ lineageOfRun }, { DialectThread, lineageOf }] = await Promise.all([
      import('../lineage/run-lineage.ts'),
      import('../../../engines/sql-lineage/index.ts')
    ])
    const reading = readingSelects(async (select, known) => lineageOf(await parseSql(database(), select), known))
    const given = this.columns.all()
    const readQuery = (statement: SourceStatement) => this.#readQuery(statement, DialectThread)
    const { isCut, ...lineage } = await lineageOfRun({ pipelineId, order, restored, given, reading, readQuery })
    if (isCut || this.columns.isCut) this.#warn('It has too many columns to tell of each where it comes from')
    const hash = createHash('sha256').update(JSON.stringify(lineage)).digest('base64')
    if (hash === this.#hash) return undefined
    this.#hash = hash
    return lineage
  }

  /** Once for a run, by a thread that ends with it. */
  async #readQuery({ sql, dialect }: SourceStatement, Thread: typeof DialectThread): Promise<StatementLineage> {
    const known = this.#queries.get(sql)
    if (known !== undefined) return known
    const thread = new Thread()
    try {
      const read = await thread.lineageOf({ dialect, sql, known: {} })
      this.#queries.set(sql, read)
      return read
    } finally {
      await thread.close()
    }
  }

  #warn(message: string): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#needs.log({ level: 'warn', node: null, message: `Lineage: ${message}` })
  }
}
