import { sqlName } from '../../../../data/relation.ts'
import { ROW } from '../../contract/source.ts'
import type { StateTable } from '../../contract/state-table.ts'
import type { Flow, Step, Stepped, Steps, StepsContext } from '../../contract/steps.ts'
import { type Column, columnsOf } from '../../duckdb/columns.ts'
import { runCounted } from '../../duckdb/database.ts'
import type { SqlPart } from '../../duckdb/parse-sql.ts'
import { recordJson } from '../../records/sieve.ts'
import { typeConflict } from '../../records/type-conflict.ts'
import type { AggregateConfig } from './aggregate.ts'
import type { TakenIn } from './taken-in.ts'
import { latestUs, timeCasts } from './time-column.ts'
import {
  COUNT,
  END_OF_TIME,
  FIRST,
  interval,
  LAST,
  NEWEST,
  REACHED,
  START,
  TIME,
  timestamp,
  WindowSql
} from './window-sql.ts'

interface Memo {
  /** Windows that end by then are closed; microseconds. */
  readonly watermark: string
  readonly columns: readonly Column[]
}

/**
 * Windows over batches. Each batch is aggregated as it comes, in one pass; what falls into windows that stay open is kept as
 * records, and those windows are computed once, when they close.
 */
export class Windows implements Steps {
  readonly #context: StepsContext<AggregateConfig>
  readonly #open: StateTable
  readonly #sql: WindowSql
  #watermark: bigint | undefined
  /** The columns that records had last. */
  #columns: readonly Column[]
  /** The latest time that is believed in this step. */
  #latest: bigint

  constructor(context: StepsContext<AggregateConfig>) {
    const { config, memo } = context
    this.#context = context
    this.#open = context.state('open')
    this.#sql = new WindowSql(config)
    const known = memo as Memo | undefined
    this.#watermark = known === undefined || known.watermark === '' ? undefined : BigInt(known.watermark)
    this.#columns = known?.columns ?? []
    this.#latest = latestUs(context.now())
  }

  memo(): Memo {
    return { watermark: this.#watermark?.toString() ?? '', columns: this.#columns }
  }

  async probe(_input: number, flow: Flow): Promise<void> {
    await this.#requireOwnTypes(flow)
    const { database } = this.#context
    const table = this.#table('probe')
    await database.run(
      `CREATE OR REPLACE TABLE ${table} AS ${this.#sql.aggregated(this.#sql.timed(flow, this.#latest))}`
    )
    await database.run(`DROP TABLE ${table}`)
  }

  casts(_input: number, columns: readonly Column[]): readonly SqlPart[] {
    return timeCasts(this.#context.config.time, columns)
  }

  async step({ inputs: [flow], ended: [hasEnded] }: Step): Promise<Stepped> {
    const closedBefore = this.#watermark
    this.#latest = latestUs(this.#context.now())
    const batch = flow === undefined ? undefined : await this.#takeIn(flow, closedBefore)
    if (batch === undefined && hasEnded !== true) return nothing(this.#open.rows)
    const closesAt = hasEnded === true ? END_OF_TIME : max(closedBefore, batch?.newest)
    const rejected = batch === undefined ? [] : await this.#rejected(batch)
    if (closesAt === undefined) return { ...nothing(this.#open.rows), taken: [batch?.rows ?? 0], rejected }
    const output = await this.#close(batch, closedBefore, closesAt)
    this.#watermark = closesAt === END_OF_TIME ? closedBefore : closesAt
    return { output, taken: [batch?.rows ?? 0], given: output?.rows ?? 0, filtered: 0, rejected, held: this.#open.rows }
  }

  /** Records that wait in open windows keep the types that they have. */
  async #requireOwnTypes({ isLoose, columns }: Flow): Promise<void> {
    const fault =
      isLoose === true ? await typeConflict(this.#open, columns, 'records in open windows have it') : undefined
    if (fault !== undefined) throw fault
  }

  /**
   * One pass over the batch: its windows, how many records it has and how new they are. Where records of the batch may be late
   * by others of it, each is looked at by what came before it, so that it does not matter which came in one batch.
   */
  async #takeIn(flow: Flow, closedBefore: bigint | undefined): Promise<TakenIn> {
    const { database } = this.#context
    await this.#requireOwnTypes(flow)
    this.#columns = flow.columns
    const plain = await this.#passOver(flow, undefined, closedBefore)
    const reaches = max(closedBefore, plain.newest)
    const isNear = plain.oldest === undefined || reaches === undefined || plain.oldest + this.#sql.windowUs > reaches
    if (isNear) return plain
    const isOver = closedBefore !== undefined && (plain.oldest as bigint) + this.#sql.windowUs <= closedBefore
    if (!isOver && !(await this.#overlap(plain.table))) return plain
    const isLate = `${this.#sql.firstStart} + ${interval(this.#sql.windowUs)} <= ${REACHED}`
    const reader = await database.runAndReadAll(
      `SELECT bool_or(${isLate}) FROM (${this.#sql.reached(this.#sql.timed(flow, this.#latest), closedBefore)})`
    )
    if (reader.value(0, 0) !== true) return plain
    const rows = await runCounted(database, `SELECT count(*) FROM (${flow.sql})`)
    const careful = await this.#passOver(flow, 'careful', closedBefore)
    // Of a record that is late there is no window to tell how many and how new they are.
    return { ...careful, rows, newest: plain.newest, timeless: plain.timeless }
  }

  /**
   * Whether a record of a window came after one that may have closed it. What closes a window is among the newer ones, so that the
   * first record of all newer windows tells, without a look at each record.
   */
  async #overlap(table: string): Promise<boolean> {
    const windows = `SELECT ${START} AS start, min(${FIRST}) AS first, max(${LAST}) AS last, max(${NEWEST}) AS newest FROM ${table} WHERE ${START} IS NOT NULL GROUP BY ${START}`
    const suffix = `SELECT newest, min(first) OVER (ORDER BY start ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS first FROM (${windows})`
    const newer = `SELECT newest, min(first) AS first FROM (${suffix}) GROUP BY newest`
    const closedAt = `w.start + ${interval(this.#sql.windowUs + this.#sql.latenessUs)}`
    const reader = await this.#context.database.runAndReadAll(
      `SELECT coalesce(bool_or(n.first < w.last), false) FROM (${windows}) w ASOF JOIN (${newer}) n ON ${closedAt} <= n.newest`
    )
    return reader.value(0, 0) === true
  }

  async #passOver(flow: Flow, how: 'careful' | undefined, closedBefore: bigint | undefined): Promise<TakenIn> {
    const { database } = this.#context
    const isCareful = how === 'careful'
    const times = (sql: string) => {
      const timed = this.#sql.timed({ sql, columns: flow.columns }, this.#latest)
      return isCareful ? this.#sql.reached(timed, closedBefore) : timed
    }
    const table = this.#table('batch')
    const timed = times(flow.sql)
    const numbered = times(flow.numbered)
    const places = `, min(${ROW}) AS ${FIRST}, max(${ROW}) AS ${LAST}`
    const made = isCareful
      ? this.#sql.aggregated(timed, this.#sql.isOpen)
      : this.#sql.aggregated(numbered, 'true', places)
    await database.run(`CREATE OR REPLACE TABLE ${table} AS ${made}`)
    const reader = await database.runAndReadAll(
      `SELECT coalesce(sum(${COUNT}) FILTER (${START} IS NOT NULL), 0)::BIGINT, coalesce(sum(${COUNT}) FILTER (${START} IS NULL), 0)::BIGINT, epoch_us(max(${NEWEST})), epoch_us(min(${START})) FROM ${table}`
    )
    const [counted, timeless, newest, oldest] = reader.getRows()[0] as [bigint, bigint, bigint | null, bigint | null]
    const overlap = this.#sql.windowUs / this.#sql.slideUs
    return {
      timed,
      numbered,
      table,
      isCareful,
      rows: Number(counted / overlap + timeless / overlap),
      timeless: Number(timeless),
      newest: newest === null ? undefined : newest - this.#sql.latenessUs,
      oldest: oldest ?? undefined
    }
  }

  /** Records without a time, and those all of whose windows were closed when they came. */
  async #rejected(batch: TakenIn): Promise<Stepped['rejected']> {
    const { database } = this.#context
    const rejected: Stepped['rejected'][number][] = []
    const reject = async (code: string, reason: string, where: string) => {
      const reader = await database.runAndReadAll(
        `SELECT ${ROW}, ${recordJson(this.#columns)} FROM (${batch.numbered}) WHERE ${where} ORDER BY ${ROW}`
      )
      for (const [row, record] of reader.getRows()) {
        rejected.push({ row: Number(row), code, reason: `The record is ${reason}`, record: String(record) })
      }
    }
    if (batch.timeless > 0) {
      const isAhead = this.#sql.isAhead(this.#columns, this.#latest)
      await reject('no_time', 'without a time', `${TIME} IS NULL AND NOT ${isAhead}`)
      await reject('ahead', 'more than a year ahead of the clock', `${TIME} IS NULL AND ${isAhead}`)
    }
    if (batch.isCareful) {
      const isLate = `${this.#sql.bucket(TIME)} + ${interval(this.#sql.windowUs)} <= ${REACHED}`
      await reject('late', 'late: its windows are closed', isLate)
    }
    return rejected
  }

  /** Computes the windows that close now, and keeps what belongs to those that stay open. */
  async #close(
    batch: TakenIn | undefined,
    closedBefore: bigint | undefined,
    closesAt: bigint
  ): Promise<Stepped['output']> {
    const { database } = this.#context
    const closing = `${START} + ${interval(this.#sql.windowUs)} <= ${timestamp(closesAt)}`
    const isNew =
      closedBefore === undefined ? 'true' : `${START} + ${interval(this.#sql.windowUs)} > ${timestamp(closedBefore)}`
    const held = await this.#heldWindows(`${closing} AND ${isNew}`)
    const parts: string[] = []
    if (batch !== undefined) {
      const other = held === undefined ? 'true' : `${START} NOT IN (SELECT start FROM ${held.table})`
      parts.push(`SELECT * FROM ${batch.table} WHERE ${closing} AND ${isNew} AND ${other}`)
    }
    if (held !== undefined) parts.push(this.#heldClosing(held, batch))
    const output = parts.length === 0 ? undefined : await this.#emit(parts)
    if (batch !== undefined && closesAt !== END_OF_TIME) {
      const stays = `${TIME} IS NOT NULL AND NOT (${this.#sql.endsBy(closesAt)}) AND ${TIME} >= ${timestamp(closesAt - this.#sql.windowUs)}`
      await this.#open.insert(`SELECT * EXCLUDE (${TIME}) FROM (${batch.timed}) WHERE ${stays}`, this.#columns)
    }
    if (closesAt === END_OF_TIME) await this.#open.clear()
    else if (this.#open.rows > 0)
      await this.#open.expire(this.#sql.endsBy(closesAt, this.#sql.timeOf(this.#open.columns)))
    if (held !== undefined) await database.run(`DROP TABLE ${held.table}`)
    return output
  }

  /** The closing windows that have records from earlier batches. */
  async #heldWindows(closing: string): Promise<{ table: string; from: bigint; to: bigint } | undefined> {
    if (this.#open.rows === 0) return undefined
    const { database } = this.#context
    const table = this.#table('held')
    const timed = this.#sql.timed({ sql: `SELECT * FROM ${this.#open.name}`, columns: this.#open.columns })
    await database.run(
      `CREATE OR REPLACE TABLE ${table} AS SELECT DISTINCT ${START} AS start FROM (${this.#sql.windowed(timed)}) WHERE ${closing}`
    )
    const reader = await database.runAndReadAll(`SELECT epoch_us(min(start)), epoch_us(max(start)) FROM ${table}`)
    const [from, to] = reader.getRows()[0] as [bigint | null, bigint | null]
    if (from !== null && to !== null) return { table, from, to: to + this.#sql.windowUs }
    await database.run(`DROP TABLE ${table}`)
    return undefined
  }

  #heldClosing({ table, from, to }: { table: string; from: bigint; to: bigint }, batch: TakenIn | undefined): string {
    const open = this.#sql.timed({ sql: this.#openWithAll(), columns: this.#columns })
    // The time of records is compared as it is, so that files are skipped that have none of them.
    const near = `${TIME} >= ${timestamp(from)} AND ${TIME} < ${timestamp(to)}`
    const all = batch === undefined ? open : `${open} UNION ALL BY NAME SELECT * FROM (${batch.timed}) WHERE ${near}`
    const isOpen = batch?.isCareful === true ? ` AND (${REACHED} IS NULL OR ${this.#sql.isOpen})` : ''
    return this.#sql.aggregated(all, `${START} IN (SELECT start FROM ${table})${isOpen}`)
  }

  /** The open records with the columns of today. */
  #openWithAll(): string {
    const there = new Set(this.#open.columns.map(({ name }) => name.toLowerCase()))
    const list = this.#columns.map(({ name }) =>
      there.has(name.toLowerCase()) ? sqlName(name) : `NULL AS ${sqlName(name)}`
    )
    return `SELECT ${list.join(', ')} FROM ${this.#open.name}`
  }

  async #emit(parts: readonly string[]): Promise<Stepped['output']> {
    const { database, config } = this.#context
    const table = this.#table('out')
    const names = [
      ...(config.groupBy ?? []).map(sqlName),
      `${START} AS window_start`,
      `${START} + ${interval(this.#sql.windowUs)} AS window_end`
    ]
    const all = `SELECT ${names.join(', ')}, ${Object.keys(config.select).map(sqlName).join(', ')} FROM (${parts.join(' UNION ALL BY NAME ')})`
    const reader = await database.runAndReadAll(`CREATE OR REPLACE TABLE ${table} AS ${all} ORDER BY window_start`)
    const rows = Number(reader.value(0, 0))
    if (rows === 0) return undefined
    const sql = `SELECT * FROM ${table}`
    return { sql, rows, columns: await columnsOf(database, sql) }
  }

  #table(name: string): string {
    return `${sqlName(this.#context.schema)}.${sqlName(`${this.#context.nodeId}:${name}`)}`
  }
}

const nothing = (held: number): Stepped => ({
  output: undefined,
  taken: [0],
  given: 0,
  filtered: 0,
  rejected: [],
  held
})

function max(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a > b ? a : b
}
