import { type DuckDBResult, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import { sqlName } from '../../relation.ts'
import type { TimedColumns } from './columns.ts'

/** How DuckDB counts times, by type, in the units that they are kept in. */
const COUNTS: ReadonlyMap<DuckDBTypeId, string> = new Map([
  [DuckDBTypeId.TIMESTAMP, 'epoch_us'],
  [DuckDBTypeId.TIMESTAMP_TZ, 'epoch_us'],
  [DuckDBTypeId.TIMESTAMP_NS, 'epoch_ns']
])
/** Of wider buckets DuckDB could not count. */
const MAX_WIDTH = 2 ** 62

/** A statement that has DuckDB look at rows itself, and how to read its answer. */
export interface Grouped {
  readonly sql: string
  /** Where its answer has the time, the numbers and the texts. */
  readonly columns: TimedColumns
  /** Where its answer says how many rows each row stands for; all together they are the rows that were looked at. */
  readonly count: number
}

/**
 * The same question, of which DuckDB answers only the rows with the least and the greatest value of every column in each bucket
 * of time. Undefined where it does not count such times.
 */
export function groupedOf(
  sql: string,
  result: DuckDBResult,
  { time, unitsPerMs, isDay, numbers, texts }: TimedColumns,
  width: number
): Grouped | undefined {
  const types = result.columnTypes()
  const counted = COUNTS.get((types[time] as DuckDBType).typeId)
  if (counted === undefined || width > MAX_WIDTH) return undefined
  const at = (place: number) => `c${place}`
  const labels = texts.map((place) => `CAST(${at(place)} AS VARCHAR) AS ${at(place)}`)
  const point = [
    `t: ${at(time)}`,
    ...numbers.map((place) => `${at(place)}: CAST(${at(place)} AS DOUBLE)`),
    ...texts.map((place) => `${at(place)}: CAST(${at(place)} AS VARCHAR)`)
  ]
  const bucket = `CASE WHEN isfinite(${at(time)}) THEN ${counted}(${at(time)}) // ${BigInt(width)} END`
  // What is infinite or not a number would stand for all others of its bucket.
  const extremes = numbers.flatMap((place) => {
    const value = `CASE WHEN isfinite(point.${at(place)}) THEN point.${at(place)} END`
    return [`arg_min(point, ${value})`, `arg_max(point, ${value})`]
  })
  const names = ['point.t', ...[...numbers, ...texts].map((place) => `point.${at(place)}`)]
  return {
    sql: `
SELECT ${names.join(', ')}, looked FROM (
  SELECT unnest(kept) AS point, unnest(counts) AS looked FROM (
    SELECT ${texts.map(at).concat('bucket').join(', ')}, [${extremes.join(', ')}] AS kept, [count(*)] AS counts
    FROM (SELECT {${point.join(', ')}} AS point, ${[...labels, `${bucket} AS bucket`].join(', ')} FROM (
${withoutEnd(sql)}
    ) AS asked(${types.map((_, place) => sqlName(at(place))).join(', ')}))
    GROUP BY ${texts.map(at).concat('bucket').join(', ')}
    ORDER BY ${texts.map(at).concat('bucket').join(', ')}
  )
)`,
    columns: {
      time: 0,
      unitsPerMs,
      isDay,
      numbers: numbers.map((_, index) => 1 + index),
      texts: texts.map((_, index) => 1 + numbers.length + index)
    },
    count: names.length
  }
}

/** A statement within another has no semicolon at its end. */
const withoutEnd = (sql: string): string => sql.replace(/[;\s]+$/, '')
