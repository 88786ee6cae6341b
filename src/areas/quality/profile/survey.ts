import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import type { Mask } from '../../../data/mask.ts'
import type { DataPlane } from '../../../data/plane.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { Clock } from '../../../engines/clock.ts'
import { OF_ONE } from '../evaluation/blame.ts'
import { DATASET } from '../evaluation/compile.ts'
import { isSecret, messageOf } from '../evaluation/secrecy.ts'
import { readProfile, type Told } from './reading.ts'
import type { ColumnProfile, ProfileOrder } from './schema.ts'
import { type AskedColumn, profileSql } from './statement.ts'

/** One statement is about so many columns at most. */
const COLUMNS_AT_ONCE = 100
/** The first statement is about so many: it tells how long others will take. */
const FIRST_COLUMNS = 10
/** How long a statement is meant to take; more than that is near to what the data plane allows. */
const STATEMENT_MS = 20_000
/** What one statement draws at most; of many columns fewer rows. */
const DRAWN_VALUES = 1_000_000
export const DRAWN_ROWS = 20_000
/** When no more statements are begun. */
const BUDGET_MS = 120_000

interface Needs {
  readonly plane: Pick<DataPlane, 'query'>
  readonly clock: Clock
  /** Called with how many columns were looked at so far. */
  settled?(done: number): void
}

type Looked = Pick<ProfileOrder, 'dataset' | 'where' | 'sample'>

/** Looks at columns of a dataset, in pieces of a bounded size. A column that can't be looked at spoils none of the others. */
export class Survey {
  readonly #needs: Needs
  readonly #looked: Looked
  /** What may not be seen. */
  readonly #mask: Mask | undefined
  readonly #signal: AbortSignal
  readonly #startedMs: number
  readonly #profiles = new Map<string, ColumnProfile>()
  #rows: number | undefined
  #most = COLUMNS_AT_ONCE
  #atOnce = FIRST_COLUMNS
  #isConditionTried = false

  constructor(needs: Needs, looked: Looked, mask: Mask | undefined, signal: AbortSignal) {
    this.#needs = needs
    this.#looked = looked
    this.#mask = mask
    this.#signal = signal
    this.#startedMs = needs.clock.elapsed()
  }

  /** Throws where nothing at all could be found out. */
  async run(columns: readonly DataColumn[]): Promise<Told> {
    await this.#askAll(columns.map((column) => ({ ...column, isSecret: isSecret(this.#mask, column.name) })))
    const rows = this.#rows ?? (await this.#count())
    return { rows, columns: columns.map(({ name }) => this.#profiles.get(name) as ColumnProfile) }
  }

  async #askAll(columns: readonly AskedColumn[]): Promise<void> {
    for (let from = 0; from < columns.length; ) {
      const some = columns.slice(from, from + this.#atOnce)
      if (await this.#ask(some)) from += some.length
    }
  }

  /**
   * Asks of all of them at once. Where that takes too much, it answers false: from now on it is half as many at most. Where
   * it fails otherwise, each half is asked by itself, so that the column that is to blame is found.
   */
  async #ask(columns: readonly AskedColumn[]): Promise<boolean> {
    const { clock } = this.#needs
    const startedMs = clock.elapsed()
    if (startedMs - this.#startedMs > BUDGET_MS) return this.#blame(columns, OUT_OF_TIME)
    try {
      const { rows, columns: profiles } = await this.#look(columns)
      this.#rows ??= rows
      const affordable = Math.floor((columns.length * STATEMENT_MS) / (clock.elapsed() - startedMs + 1))
      this.#atOnce = Math.max(1, Math.min(this.#most, affordable))
      for (const profile of profiles) this.#profiles.set(profile.name, profile)
      this.#needs.settled?.(this.#profiles.size)
      return true
    } catch (error) {
      if (!(error instanceof DataError) || !OF_ONE.has(error.code)) throw this.#told(error)
      const half = Math.ceil(columns.length / 2)
      if (DEAR.has(error.code) && half < columns.length) {
        this.#most = half
        this.#atOnce = half
        return false
      }
      if (!DEAR.has(error.code)) await this.#tryCondition()
      if (columns.length === 1) return this.#blame(columns, error)
      await this.#askAll(columns.slice(0, half))
      await this.#askAll(columns.slice(half))
      return true
    }
  }

  async #look(columns: readonly AskedColumn[]): Promise<Told> {
    const { where, sample } = this.#looked
    const drawnRows = Math.min(DRAWN_ROWS, Math.floor(DRAWN_VALUES / columns.length))
    const answer = await this.#query(profileSql(columns, { where, sample, drawnRows }))
    const [row = []] = await answer.rows()
    return readProfile(columns, answer.columns, row, sample === undefined)
  }

  /** Throws where it is the condition that fails, and so no column is to blame. */
  async #tryCondition(): Promise<void> {
    if (this.#looked.where === undefined || this.#isConditionTried) return
    this.#isConditionTried = true
    await this.#count()
  }

  async #count(): Promise<number> {
    const { where = 'TRUE' } = this.#looked
    try {
      const [row = []] = await (await this.#query(`SELECT count(*) FROM ${DATASET} WHERE (\n${where}\n)`)).rows()
      return Number(row[0])
    } catch (error) {
      throw this.#told(error)
    }
  }

  #query(sql: string) {
    const relations = { [DATASET]: this.#looked.dataset }
    return this.#needs.plane.query({ sql, relations, limits: { maxRows: 1 }, signal: this.#signal })
  }

  /** Throws where there is nothing known of any column yet: then it is likely that nothing will be. */
  #blame(columns: readonly AskedColumn[], error: DataError): true {
    const { code, message } = this.#told(error) as DataError
    if (this.#rows === undefined && DEAR.has(code)) throw this.#told(error)
    for (const { name, type, isSecret } of columns) {
      this.#profiles.set(name, { ...UNKNOWN, name, type, masked: isSecret, problem: { code, message } })
    }
    return true
  }

  /** An error with what can be done about it, and without what may not be told. */
  #told(error: unknown): unknown {
    if (!(error instanceof DataError)) return error
    const message = messageOf(this.#mask, error)
    return new DataError(error.code, DEAR.has(error.code) ? `${message} ${ADVICE}` : message, { cause: error })
  }
}

/** What takes less of fewer columns or rows. */
const DEAR: ReadonlySet<DataErrorCode> = new Set(['timeout', 'out_of_memory', 'too_large'])
const ADVICE = 'Name fewer `columns`, or look at a `sample` of the rows.'
const OUT_OF_TIME = new DataError(
  'timeout',
  `The profile took over ${BUDGET_MS / 1000} s before it came to this column.`
)

/** What is said of a column of which nothing is known. */
const UNKNOWN = {
  count: null,
  nulls: null,
  nan: null,
  infinite: null,
  distinct: null,
  min: null,
  max: null,
  mean: null,
  stddev: null,
  quantiles: [],
  histogram: [],
  top: [],
  lengths: null,
  patterns: [],
  looksLike: null,
  drawn: null
} satisfies Partial<ColumnProfile>
