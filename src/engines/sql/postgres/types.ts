import type { SqlType, SqlValue } from '../index.ts'
import { toTimestampText } from '../times.ts'

/** Types by object identifier, which is the same in every PostgreSQL. */
const TYPES: Readonly<Record<number, SqlType>> = {
  16: 'boolean',
  17: 'blob',
  20: 'bigint',
  21: 'integer',
  23: 'integer',
  26: 'bigint', // an oid, which is unsigned
  114: 'json',
  700: 'double',
  701: 'double',
  1082: 'date',
  1114: 'timestamp',
  1184: 'timestamptz',
  1700: 'decimal',
  3802: 'json'
}

export function typeOf(oid: number): SqlType {
  return TYPES[oid] ?? 'text'
}

export function decoderOf(type: SqlType): (text: string) => SqlValue {
  switch (type) {
    case 'boolean':
      return (text) => text === 't'
    case 'integer':
    case 'double':
      return Number
    case 'bigint':
      return toBigInt
    case 'blob':
      return (text) => Buffer.from(text.slice(2), 'hex')
    case 'timestamp':
    case 'timestamptz':
      return toTimestampText
    default:
      return (text) => text
  }
}

/** A number that is exact as a double is made of one in a third of the time. */
const toBigInt = (text: string): bigint => (text.length < 16 ? BigInt(Number(text)) : BigInt(text))

/** Types of new columns. */
export const DECLARED: Readonly<Record<SqlType, string>> = {
  boolean: 'boolean',
  integer: 'integer',
  bigint: 'bigint',
  double: 'double precision',
  decimal: 'numeric',
  text: 'text',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  json: 'jsonb',
  blob: 'bytea'
}
