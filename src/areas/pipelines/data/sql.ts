import { sqlName, sqlText } from '../../../data/relation.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { QUALITIES } from '../../../engines/series/index.ts'
import type { Duration } from '../../../http/times.ts'

/** SQL over what a pipeline has put out, which is the relation `output`. */

const NUMERIC =
  /^(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT|FLOAT|DOUBLE|DECIMAL)/
const TIME = /^(?:TIMESTAMP|DATE$)/

export const isNumeric = ({ type }: DataColumn): boolean => NUMERIC.test(type)

/** The column that tells when: the first that can. */
export const timeColumnOf = (columns: readonly DataColumn[]): DataColumn | undefined =>
  columns.find(({ type }) => TIME.test(type))

/** Microseconds since the epoch, whatever kind of time it is; comparable without knowing of zones. */
const microsOf = ({ name, type }: DataColumn): string =>
  type === 'DATE' ? `epoch_us(TRY_CAST(${sqlName(name)} AS TIMESTAMP))` : `epoch_us(${sqlName(name)})`

export interface Span {
  readonly fromNs: bigint
  readonly toNs: bigint
}

const within = (time: DataColumn, { fromNs, toNs }: Span): string =>
  `${microsOf(time)} >= ${ceilMicros(fromNs)} AND ${microsOf(time)} < ${ceilMicros(toNs)}`

/** Times are compared in microseconds: a bound in between counts as the next one. */
const ceilMicros = (ns: bigint): bigint => (ns >= 0n ? (ns + 999n) / 1000n : ns / 1000n)

/** A column as rows show it. */
export interface ShownColumn extends DataColumn {
  /** Of points, which keep it as a number. */
  readonly isQuality?: boolean
}

/** Points of time series say how good they are in words, as they do everywhere else. */
export const shownColumns = (columns: readonly DataColumn[], isSeries: boolean): ShownColumn[] =>
  columns.map((column) =>
    isSeries && column.name === 'quality' ? { ...column, type: 'VARCHAR', isQuality: true } : column
  )

const QUALITY = `[${QUALITIES.map(sqlText).join(', ')}][quality + 1]`

/**
 * Records in the order of their time, or as they come where they have none: so many, and one that tells that there are more.
 * With the bound in the statement the first of millions are found without all of them being sorted.
 */
export function rowsSql(
  columns: readonly ShownColumn[],
  time: DataColumn | undefined,
  span: Span,
  limit: number
): string {
  const end = `LIMIT ${limit + 1}`
  const list = columns
    .map(({ name, isQuality }) => (isQuality ? `${QUALITY} AS ${sqlName(name)}` : sqlName(name)))
    .join(', ')
  if (time === undefined) return `SELECT ${list} FROM output ${end}`
  return `SELECT ${list} FROM output WHERE ${within(time, span)} ORDER BY ${sqlName(time.name)} ${end}`
}

/** One row for each column and bucket: the place of the column, the time, then the measures in their order. */
export function bucketsSql(columns: readonly DataColumn[], time: DataColumn, span: Span, width: Duration): string {
  const micros = microsOf(time)
  const parts = columns.map(({ name }, place) => {
    const values = `SELECT ${bucketOf(micros, width)} AS bucket, ${micros} AS micros, ${sqlName(name)}::DOUBLE AS v FROM output WHERE ${within(time, span)}`
    return `SELECT ${place} AS place, bucket, avg(v), min(v), max(v), count(v), arg_min(v, micros), arg_max(v, micros), sum(v) FROM (${values}) WHERE v IS NOT NULL AND isfinite(v) GROUP BY bucket`
  })
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) ORDER BY place, bucket`
}

/** As in queries of the catalog: multiples of the width since 1970, weeks from Monday. */
const INTERVALS: Readonly<Record<Duration['unit'], { readonly unit: string; readonly origin: string }>> = {
  ms: { unit: 'milliseconds', origin: '1970-01-01' },
  s: { unit: 'seconds', origin: '1970-01-01' },
  m: { unit: 'minutes', origin: '1970-01-01' },
  h: { unit: 'hours', origin: '1970-01-01' },
  d: { unit: 'days', origin: '1970-01-01' },
  w: { unit: 'weeks', origin: '1969-12-29' },
  mo: { unit: 'months', origin: '1970-01-01' },
  y: { unit: 'years', origin: '1970-01-01' }
}

function bucketOf(micros: string, { count, unit }: Duration): string {
  const { unit: name, origin } = INTERVALS[unit]
  return `time_bucket(INTERVAL ${sqlText(`${count} ${name}`)}, make_timestamp(${micros}), TIMESTAMP ${sqlText(origin)})`
}
