import { sqlName } from '../../../data/relation.ts'
import { columnsOf, recordTexts, type StateTable } from '../host/node-tools.ts'
import type { AggregateConfig } from './aggregate.ts'
import { durationMs } from './config-parts.ts'
import { NodeFault } from './context.ts'
import type { Column } from './node-type.ts'
import type { Rejected } from './source.ts'
import { selectList } from './sql-expression.ts'
import type { Flow, Step, Stepped, Steps, StepsContext } from './steps.ts'

/** Names that no column of a user's has. */
const START = '"millrace:start"'
const COUNT = '"millrace:count"'
const NEWEST = '"millrace:newest"'
const TIME = '"millrace:time"'

const MAX_LATE_SHOWN = 10_000

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
  readonly #windowUs: bigint
  readonly #slideUs: bigint
  readonly #latenessUs: bigint
  #watermark: bigint | undefined
  /** The columns that records had last. */
  #columns: readonly Column[]

  constructor(context: StepsContext<AggregateConfig>) {
    const { config, memo } = context
    this.#context = context
    this.#open = context.state('open')
    this.#windowUs = BigInt(durationMs(config.window)) * 1000n
    this.#slideUs = config.slide === undefined ? this.#windowUs : BigInt(durationMs(config.slide)) * 1000n
    this.#latenessUs = config.lateness === undefined ? 0n : BigInt(durationMs(config.lateness)) * 1000n
    const known = memo as Memo | undefined
    this.#watermark = known === undefined || known.watermark === '' ? undefined : BigInt(known.watermark)
    this.#columns = known?.columns ?? []
  }

  memo(): Memo {
    return { watermark: this.#watermark?.toString() ?? '', columns: this.#columns }
  }

  async probe(_input: number, flow: Flow): Promise<void> {
    const { database } = this.#context
    const table = this.#table('probe')
    await database.run(`CREATE OR REPLACE TABLE ${table} AS ${this.#aggregated(this.#timed(flow))}`)
    await database.run(`DROP TABLE ${table}`)
  }

  async step({ inputs: [flow], ended: [hasEnded] }: Step): Promise<Stepped> {
    const batch = flow === undefined ? undefined : await this.#takeIn(flow)
    if (batch === undefined && hasEnded !== true) return nothing(this.#open.rows)
    const closedBefore = this.#watermark
    const closesAt = hasEnded === true ? END_OF_TIME : max(closedBefore, batch?.newest)
    const rejected = batch === undefined ? [] : await this.#rejected(batch, closedBefore)
    if (closesAt === undefined) return { ...nothing(this.#open.rows), taken: [batch?.rows ?? 0], rejected }
    const output = await this.#close(batch, closedBefore, closesAt)
    this.#watermark = closesAt === END_OF_TIME ? closedBefore : closesAt
    return { output, taken: [batch?.rows ?? 0], given: output?.rows ?? 0, filtered: 0, rejected, held: this.#open.rows }
  }

  /** One pass over the batch: its windows, how many records it has and how new they are. */
  async #takeIn(flow: Flow): Promise<TakenIn> {
    const { database } = this.#context
    this.#columns = flow.columns
    const timed = this.#timed(flow)
    const table = this.#table('batch')
    await database.run(`CREATE OR REPLACE TABLE ${table} AS ${this.#aggregated(timed)}`)
    const reader = await database.runAndReadAll(
      `SELECT coalesce(sum(${COUNT}) FILTER (${START} IS NOT NULL), 0)::BIGINT, coalesce(sum(${COUNT}) FILTER (${START} IS NULL), 0)::BIGINT, epoch_us(max(${NEWEST})), epoch_us(min(${START})) FROM ${table}`
    )
    const [counted, timeless, newest, oldest] = reader.getRows()[0] as [bigint, bigint, bigint | null, bigint | null]
    const overlap = this.#windowUs / this.#slideUs
    return {
      timed,
      table,
      rows: Number(counted / overlap + timeless / overlap),
      timeless: Number(timeless),
      newest: newest === null ? undefined : newest - this.#latenessUs,
      oldest: oldest ?? undefined
    }
  }

  /** Records without a time, and those all of whose windows are closed. */
  async #rejected(batch: TakenIn, closedBefore: bigint | undefined): Promise<Rejected[]> {
    const { database } = this.#context
    const rejected: Rejected[] = []
    const reject = async (code: string, reason: string, where: string) => {
      const texts = await recordTexts(
        database,
        `SELECT * EXCLUDE (${TIME}) FROM (${batch.timed}) WHERE ${where} LIMIT ${MAX_LATE_SHOWN + 1}`
      )
      if (texts.length > MAX_LATE_SHOWN) {
        throw new NodeFault('fatal', 'too_many_late', `More than ${MAX_LATE_SHOWN} records of one batch are ${reason}`)
      }
      rejected.push(...texts.map((record) => ({ code, reason: `The record is ${reason}`, record })))
    }
    if (batch.timeless > 0) await reject('no_time', 'without a time', `${TIME} IS NULL`)
    if (closedBefore !== undefined && batch.oldest !== undefined && batch.oldest + this.#windowUs <= closedBefore) {
      await reject('late', 'late: its windows are closed', this.#endsBy(closedBefore))
    }
    return rejected
  }

  /** Computes the windows that close now, and keeps what belongs to those that stay open. */
  async #close(
    batch: TakenIn | undefined,
    closedBefore: bigint | undefined,
    closesAt: bigint
  ): Promise<Flow | undefined> {
    const { database } = this.#context
    const closing = `${START} + ${interval(this.#windowUs)} <= ${timestamp(closesAt)}`
    const isNew =
      closedBefore === undefined ? 'true' : `${START} + ${interval(this.#windowUs)} > ${timestamp(closedBefore)}`
    const held = await this.#heldWindows(closing)
    const parts: string[] = []
    if (batch !== undefined) {
      const other = held === undefined ? 'true' : `${START} NOT IN (SELECT start FROM ${held.table})`
      parts.push(
        `SELECT * EXCLUDE (${COUNT}, ${NEWEST}) FROM ${batch.table} WHERE ${closing} AND ${isNew} AND ${other}`
      )
    }
    if (held !== undefined) parts.push(this.#heldClosing(held, batch))
    const output = parts.length === 0 ? undefined : await this.#emit(parts)
    if (batch !== undefined && closesAt !== END_OF_TIME) {
      const stays = `${TIME} IS NOT NULL AND NOT (${this.#endsBy(closesAt)}) AND ${TIME} >= ${timestamp(closesAt - this.#windowUs)}`
      await this.#open.insert(`SELECT * EXCLUDE (${TIME}) FROM (${batch.timed}) WHERE ${stays}`, this.#columns)
    }
    if (closesAt === END_OF_TIME) await this.#open.clear()
    else if (this.#open.rows > 0) await this.#open.expire(this.#endsBy(closesAt, this.#timeOf(this.#open.columns)))
    if (held !== undefined) await database.run(`DROP TABLE ${held.table}`)
    return output
  }

  /** The closing windows that have records from earlier batches. */
  async #heldWindows(closing: string): Promise<{ table: string; from: bigint; to: bigint } | undefined> {
    if (this.#open.rows === 0) return undefined
    const { database } = this.#context
    const table = this.#table('held')
    const timed = this.#timed({ sql: `SELECT * FROM ${this.#open.name}`, columns: this.#open.columns })
    await database.run(
      `CREATE OR REPLACE TABLE ${table} AS SELECT DISTINCT ${START} AS start FROM (${this.#windowed(timed)}) WHERE ${closing}`
    )
    const reader = await database.runAndReadAll(`SELECT epoch_us(min(start)), epoch_us(max(start)) FROM ${table}`)
    const [from, to] = reader.getRows()[0] as [bigint | null, bigint | null]
    if (from !== null && to !== null) return { table, from, to: to + this.#windowUs }
    await database.run(`DROP TABLE ${table}`)
    return undefined
  }

  #heldClosing({ table, from, to }: { table: string; from: bigint; to: bigint }, batch: TakenIn | undefined): string {
    const open = this.#timed({ sql: this.#openWithAll(), columns: this.#columns })
    // The time of records is compared as it is, so that files are skipped that have none of them.
    const near = `${TIME} >= ${timestamp(from)} AND ${TIME} < ${timestamp(to)}`
    const all = batch === undefined ? open : `${open} UNION ALL BY NAME SELECT * FROM (${batch.timed}) WHERE ${near}`
    const aggregated = this.#aggregated(all, `${START} IN (SELECT start FROM ${table})`)
    return `SELECT * EXCLUDE (${COUNT}, ${NEWEST}) FROM (${aggregated})`
  }

  /** The open records with the columns of today. */
  #openWithAll(): string {
    const there = new Set(this.#open.columns.map(({ name }) => name.toLowerCase()))
    const list = this.#columns.map(({ name }) =>
      there.has(name.toLowerCase()) ? sqlName(name) : `NULL AS ${sqlName(name)}`
    )
    return `SELECT ${list.join(', ')} FROM ${this.#open.name}`
  }

  async #emit(parts: readonly string[]): Promise<Flow | undefined> {
    const { database, config } = this.#context
    const table = this.#table('out')
    const names = [
      ...(config.groupBy ?? []).map(sqlName),
      `${START} AS window_start`,
      `${START} + ${interval(this.#windowUs)} AS window_end`
    ]
    const all = `SELECT ${names.join(', ')}, ${Object.keys(config.select).map(sqlName).join(', ')} FROM (${parts.join(' UNION ALL BY NAME ')})`
    const reader = await database.runAndReadAll(`CREATE OR REPLACE TABLE ${table} AS ${all} ORDER BY window_start`)
    const rows = Number(reader.value(0, 0))
    if (rows === 0) return undefined
    const sql = `SELECT * FROM ${table}`
    return { sql, rows, columns: await columnsOf(database, sql) }
  }

  #timed({ sql, columns }: Pick<Flow, 'sql' | 'columns'>): string {
    return `SELECT *, ${this.#timeOf(columns)} AS ${TIME} FROM (${sql})`
  }

  #timeOf(columns: readonly Column[]): string {
    const { time } = this.#context.config
    const type = columns.find(({ name }) => name.toLowerCase() === time.toLowerCase())?.type
    const name = sqlName(time)
    if (type === 'TIMESTAMP') return name
    if (type === undefined || type.startsWith('TIMESTAMP') || type === 'DATE' || type === '"NULL"')
      return `${name}::TIMESTAMP`
    if (type === 'VARCHAR') return `${name}::TIMESTAMPTZ::TIMESTAMP`
    throw new NodeFault(
      'fatal',
      'no_timestamp',
      `The column ${time} is ${type}; make it a timestamp with a map, such as to_timestamp(${time})`
    )
  }

  /** Each record once for every window that it is in. */
  #windowed(timed: string): string {
    const first = this.#bucket(TIME)
    if (this.#windowUs === this.#slideUs) return `SELECT *, ${first} AS ${START} FROM (${timed})`
    const slides = `SELECT to_microseconds(range) AS back FROM range(0, ${this.#windowUs}, ${this.#slideUs})`
    return `SELECT * EXCLUDE (back), ${first} - back AS ${START} FROM (${timed}), (${slides})`
  }

  #aggregated(timed: string, where = 'true'): string {
    const { groupBy = [], select } = this.#context.config
    const by = [START, ...groupBy.map(sqlName)].join(', ')
    return `SELECT ${by}, ${selectList(select)}, count(*) AS ${COUNT}, max(${TIME}) AS ${NEWEST} FROM (${this.#windowed(timed)}) WHERE ${where} GROUP BY ${by}`
  }

  /** Whether the last window that a record is in ends by then. */
  #endsBy(us: bigint, time = TIME): string {
    return `${this.#bucket(time)} + ${interval(this.#windowUs)} <= ${timestamp(us)}`
  }

  /** As a sum of whole numbers, which is a fifth faster than `time_bucket`; times before 1970 are rounded down too. */
  #bucket(time: string): string {
    const us = `epoch_us(${time})`
    return `make_timestamp(${us} - (${us} % ${this.#slideUs} + ${this.#slideUs}) % ${this.#slideUs})`
  }

  #table(name: string): string {
    return `${sqlName(this.#context.schema)}.${sqlName(`${this.#context.nodeId}:${name}`)}`
  }
}

interface TakenIn {
  readonly timed: string
  /** Its windows with what they would be if it were all. */
  readonly table: string
  readonly rows: number
  readonly timeless: number
  /** The newest time less what records may be late. */
  readonly newest: bigint | undefined
  /** When the oldest window begins. */
  readonly oldest: bigint | undefined
}

const END_OF_TIME = 9_000_000_000_000_000_000n

const nothing = (held: number): Stepped => ({
  output: undefined,
  taken: [0],
  given: 0,
  filtered: 0,
  rejected: [],
  held
})

const interval = (us: bigint): string => `to_microseconds(${us})`
const timestamp = (us: bigint): string => (us === END_OF_TIME ? "TIMESTAMP 'infinity'" : `make_timestamp(${us})`)

function max(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a > b ? a : b
}
