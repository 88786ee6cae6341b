import type { ColumnType, StreamValue } from '../index.ts'
import { timeText } from '../machines/times.ts'
import type { UaValue } from './library.ts'

/** Types of the standard, by number. */
const [INT64, UINT64] = [8, 9]
const COLUMN_TYPES: Readonly<Record<string, ColumnType>> = {
  'ns=0;i=1': 'boolean',
  'ns=0;i=2': 'integer',
  'ns=0;i=3': 'integer',
  'ns=0;i=4': 'integer',
  'ns=0;i=5': 'integer',
  'ns=0;i=6': 'integer',
  'ns=0;i=7': 'bigint',
  'ns=0;i=8': 'bigint',
  'ns=0;i=9': 'bigint',
  'ns=0;i=10': 'double',
  'ns=0;i=11': 'double',
  'ns=0;i=12': 'text',
  'ns=0;i=13': 'timestamptz',
  'ns=0;i=29': 'integer',
  'ns=0;i=290': 'double',
  'ns=0;i=294': 'timestamptz'
}
const SCALAR = -1

/** The type of a variable's column; what is no single value, and what has a type of its own, is JSON. */
export const columnTypeOf = (dataType: unknown, valueRank: unknown): ColumnType =>
  valueRank === SCALAR ? (COLUMN_TYPES[String(dataType)] ?? 'json') : 'json'

/** When a value was taken, in nanoseconds since 1970. */
export function timeOf({ sourceTimestamp, sourcePicoseconds = 0 }: UaValue): bigint | undefined {
  if (!(sourceTimestamp instanceof Date)) return undefined
  return BigInt(sourceTimestamp.getTime()) * 1_000_000n + BigInt(Math.floor(sourcePicoseconds / 1000))
}

/** The value as its column has it; null for none, and for what does not fit. */
export function toValue({ value: variant }: UaValue, type: ColumnType): StreamValue {
  const value = plainOf(variant?.value, variant?.dataType)
  if (value === null || value === undefined) return null
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) ? value : null
    case 'bigint':
      if (typeof value === 'bigint') return value
      return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : null
    case 'double':
      return typeof value === 'number' ? value : null
    case 'text':
      return typeof value === 'string' ? value : null
    case 'timestamptz':
      return value instanceof Date ? timeText(BigInt(value.getTime()) * 1_000_000n) : null
    default:
      return jsonOf(value)
  }
}

/** Whole numbers of 64 bits come as two halves. */
function plainOf(value: unknown, dataType: number | undefined): unknown {
  if ((dataType !== INT64 && dataType !== UINT64) || !Array.isArray(value)) return value
  if (Array.isArray(value[0])) return value.map((halves) => plainOf(halves, dataType))
  const [high, low] = value
  if (typeof high !== 'number' || typeof low !== 'number') return value
  const whole = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  return dataType === INT64 ? BigInt.asIntN(64, whole) : whole
}

function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(toJson(value), (_, part) => toJson(part)) ?? null
  } catch {
    return null
  }
}

function toJson(part: unknown): unknown {
  if (typeof part === 'bigint') return String(part)
  if (part instanceof Uint8Array && Buffer.isBuffer(part)) return part.toString('base64')
  return ArrayBuffer.isView(part) && !(part instanceof DataView)
    ? Array.from(part as unknown as ArrayLike<number>)
    : part
}
