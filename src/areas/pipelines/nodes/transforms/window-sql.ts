import { sqlName } from '../../../../data/relation.ts'
import { durationMs } from '../../contract/config-parts.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Flow } from '../../contract/steps.ts'
import type { Column } from '../../duckdb/columns.ts'
import { selectList } from '../../duckdb/expression.ts'
import type { AggregateConfig } from './aggregate.ts'

/** Names that no column of a user's has. */
export const START = '"millrace:start"'
export const COUNT = '"millrace:count"'
export const NEWEST = '"millrace:newest"'
export const TIME = '"millrace:time"'
/** The numbers of the first and the last record in a window. */
export const FIRST = '"millrace:first"'
export const LAST = '"millrace:last"'

/** The watermark as it was when a record came: the newest time before it less `lateness`. */
export const REACHED = '"millrace:reached"'

/** Later than any time of a record: by then every window is closed. */
export const END_OF_TIME = 9_000_000_000_000_000_000n

export const interval = (us: bigint): string => `to_microseconds(${us})`
export const timestamp = (us: bigint): string => (us === END_OF_TIME ? "TIMESTAMP 'infinity'" : `make_timestamp(${us})`)

/** The SQL of windows: which records are in which, and what becomes of them. */
export class WindowSql {
  readonly windowUs: bigint
  readonly slideUs: bigint
  readonly latenessUs: bigint
  readonly #config: AggregateConfig

  constructor(config: AggregateConfig) {
    this.#config = config
    this.windowUs = BigInt(durationMs(config.window)) * 1000n
    this.slideUs = config.slide === undefined ? this.windowUs : BigInt(durationMs(config.slide)) * 1000n
    this.latenessUs = config.lateness === undefined ? 0n : BigInt(durationMs(config.lateness)) * 1000n
  }

  /** Adds the time of each record; NULL where it has none, and of those that just came also where it is not believed. */
  timed({ sql, columns }: Pick<Flow, 'sql' | 'columns'>, latest?: bigint): string {
    const time = this.timeOf(columns)
    if (latest === undefined) return `SELECT *, ${time} AS ${TIME} FROM (${sql})`
    const isBelieved = `isfinite(${time}) AND ${time} <= ${timestamp(latest)}`
    return `SELECT *, CASE WHEN ${isBelieved} THEN ${time} END AS ${TIME} FROM (${sql})`
  }

  isAhead(columns: readonly Column[], latest: bigint): string {
    return `coalesce(${this.timeOf(columns)} > ${timestamp(latest)}, false)`
  }

  /** Adds the watermark at which each record came, made by those before it: a record never closes a window that it is in. */
  reached(timed: string, closedBefore: bigint | undefined): string {
    const newest = `max(${TIME}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - ${interval(this.latenessUs)}`
    const reached = closedBefore === undefined ? newest : `greatest(${newest}, ${timestamp(closedBefore)})`
    return `SELECT *, ${reached} AS ${REACHED} FROM (${timed})`
  }

  /** Whether a window was open when the record came. */
  get isOpen(): string {
    return `(${TIME} IS NULL OR ${START} + ${interval(this.windowUs)} > ${REACHED})`
  }

  /** When the first window begins that a record is in. */
  get firstStart(): string {
    return `${this.bucket(TIME)} - ${interval(this.windowUs - this.slideUs)}`
  }

  timeOf(columns: readonly Column[]): string {
    const { time } = this.#config
    const type = columns.find(({ name }) => name.toLowerCase() === time.toLowerCase())?.type
    const name = sqlName(time)
    if (type === 'TIMESTAMP') return name
    if (type === undefined || type.startsWith('TIMESTAMP') || type === 'DATE' || type === '"NULL"')
      return `TRY_CAST(${name} AS TIMESTAMP)`
    if (type === 'VARCHAR') return `${name}::TIMESTAMPTZ::TIMESTAMP`
    throw new NodeFault(
      'fatal',
      'no_timestamp',
      `The column ${time} is ${type}; make it a timestamp with a map, such as to_timestamp(${time})`
    )
  }

  /** Each record once for every window that it is in. */
  windowed(timed: string): string {
    const first = this.bucket(TIME)
    if (this.windowUs === this.slideUs) return `SELECT *, ${first} AS ${START} FROM (${timed})`
    const slides = `SELECT to_microseconds(range) AS back FROM range(0, ${this.windowUs}, ${this.slideUs})`
    return `SELECT * EXCLUDE (back), ${first} - back AS ${START} FROM (${timed}), (${slides})`
  }

  aggregated(timed: string, where = 'true', also = ''): string {
    const { groupBy = [], select } = this.#config
    const by = [START, ...groupBy.map(sqlName)].join(', ')
    return `SELECT ${by}, ${selectList(select)}, count(*) AS ${COUNT}, max(${TIME}) AS ${NEWEST}${also} FROM (${this.windowed(timed)}) WHERE ${where} GROUP BY ${by}`
  }

  /** Whether the last window that a record is in ends by then. */
  endsBy(us: bigint, time = TIME): string {
    return `${this.bucket(time)} + ${interval(this.windowUs)} <= ${timestamp(us)}`
  }

  /** As a sum of whole numbers, which is a fifth faster than `time_bucket`; times before 1970 are rounded down too. */
  bucket(time: string): string {
    const us = `epoch_us(${time})`
    return `make_timestamp(${us} - (${us} % ${this.slideUs} + ${this.slideUs}) % ${this.slideUs})`
  }
}
