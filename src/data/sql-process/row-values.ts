import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
  DuckDBVariantValue
} from '@duckdb/node-api'
import type { DataValue } from './messages.ts'

const MAX_EXACT_DIGITS = 15
/** The limits of `Date`. */
const MAX_DATE_MS = 8_640_000_000_000_000n
/** DuckDB's value for an infinite time, in any unit. */
const INFINITE = 2n ** 63n - 1n

export function toDataValue(value: DuckDBValue): DataValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return BigInt.asIntN(54, value) === value ? Number(value) : String(value)
    default:
      return value === null ? null : fromObject(value)
  }
}

function fromObject(value: Exclude<DuckDBValue, string | boolean | number | bigint | null>): DataValue {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return isoTime(value, value.micros, 1000n)
  }
  if (value instanceof DuckDBTimestampNanosecondsValue) return isoTime(value, value.nanos, 1n)
  if (value instanceof DuckDBTimestampMillisecondsValue) return isoTime(value, value.millis, 1_000_000n)
  if (value instanceof DuckDBTimestampSecondsValue) return isoTime(value, value.seconds, 1_000_000_000n)
  if (value instanceof DuckDBDateValue && !value.isFinite) return value.days > 0 ? 'infinity' : '-infinity'
  if (value instanceof DuckDBDecimalValue) {
    return value.width <= MAX_EXACT_DIGITS ? value.toDouble() : value.toString()
  }
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64')
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(toDataValue)
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, item]) => [name, toDataValue(item)]))
  }
  if (value instanceof DuckDBMapValue) {
    return value.entries.map((entry) => ({ key: toDataValue(entry.key), value: toDataValue(entry.value) }))
  }
  if (value instanceof DuckDBUnionValue) return { tag: value.tag, value: toDataValue(value.value) }
  if (value instanceof DuckDBVariantValue) return toDataValue(value.value)
  return String(value)
}

/** ISO time of so many units since the epoch. */
export const isoOfCount = (count: bigint, unitNs: bigint): string => isoTime(count, count, unitNs)

/** ISO time in milliseconds, with more digits where the value has them. */
function isoTime(value: object | bigint, count: bigint, unitNs: bigint): string {
  if (count === INFINITE) return 'infinity'
  if (count === -INFINITE) return '-infinity'
  const ns = count * unitNs
  const restNs = ((ns % 1_000_000n) + 1_000_000n) % 1_000_000n
  const ms = (ns - restNs) / 1_000_000n
  if (ms > MAX_DATE_MS || ms < -MAX_DATE_MS) return String(value)
  const iso = new Date(Number(ms)).toISOString()
  if (restNs === 0n) return iso
  const digits = String(restNs).padStart(6, '0').replace(/0+$/, '')
  return `${iso.slice(0, -1)}${digits}Z`
}
