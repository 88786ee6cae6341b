import { decimalText, double, jsonText, smallNumber, timeText, truth, wholeNumber } from '../common/values.ts'
import type { ColumnType, StreamValue } from '../index.ts'

const TYPES: Readonly<Record<string, ColumnType>> = {
  boolean: 'boolean',
  tinyint: 'integer',
  smallint: 'integer',
  int: 'integer',
  bigint: 'bigint',
  counter: 'bigint',
  varint: 'decimal',
  decimal: 'decimal',
  float: 'double',
  double: 'double',
  date: 'date',
  timestamp: 'timestamptz',
  blob: 'blob',
  ascii: 'text',
  text: 'text',
  varchar: 'text',
  uuid: 'text',
  timeuuid: 'text',
  inet: 'text',
  time: 'text',
  duration: 'text'
}

/** Lists, sets, maps, tuples and types of users are JSON. */
export const typeOf = (type: string): ColumnType => TYPES[type] ?? 'json'

const DECODERS: Partial<Record<ColumnType, (value: unknown) => StreamValue>> = {
  boolean: truth,
  integer: smallNumber,
  bigint: wholeNumber,
  double,
  decimal: (value) => decimalText(String(value)),
  timestamptz: (value) => (isTime(value) ? timeText(value.toISOString()) : null),
  blob: (value) => (value instanceof Uint8Array ? Uint8Array.from(value) : null),
  json: (value) => jsonText(plain(value))
}

const isTime = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** A value in a column of a type; null where it does not fit. */
export function cellOf(type: ColumnType, value: unknown): StreamValue {
  if (value === null || value === undefined) return null
  return (DECODERS[type] ?? String)(value)
}

/** As JSON has it. Classes of the package, such as those of ids and decimals, say of themselves what they are as text. */
function plain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') {
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Date) return cellOf('timestamptz', value)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Set) return [...value].map(plain)
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, part]) => [String(name), plain(part)]))
  const { elements } = value as { elements?: unknown }
  if (Array.isArray(elements)) return elements.map(plain)
  if (Object.getPrototypeOf(value) !== Object.prototype) return String(value)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
}
