import type { SqlColumn, SqlType, SqlValue } from '../index.ts'
import { toTimestampText } from '../times.ts'

/** The server's description of a column. */
export interface Field {
  readonly name: string
  readonly columnType: number
  readonly columnLength: number
  readonly characterSet: number
  readonly flags: number
  readonly decimals: number
  readonly extendedFormat?: string
}

const BINARY = 63
const NOT_NULL = 1
const UNSIGNED = 32
const ENUM = 256
const SET = 2048

/**
 * The expression that a column is compared with to go on after a text, as SQL with one parameter; undefined if it
 * can't be.
 */
export function comparable(field: Field): string | undefined {
  if (field.flags & (ENUM | SET)) return undefined // sorted by number, but compared as texts
  switch (typeName(field)) {
    case 'TINY':
    case 'SHORT':
    case 'LONG':
    case 'INT24':
    case 'LONGLONG':
    case 'YEAR':
      // As texts they would be compared as doubles.
      return field.flags & UNSIGNED ? 'CAST(? AS UNSIGNED)' : 'CAST(? AS SIGNED)'
    case 'NEWDECIMAL':
      return `CAST(? AS DECIMAL(65, ${field.decimals}))`
    case 'DATE':
    case 'NEWDATE':
    case 'DATETIME':
    case 'TIMESTAMP':
      return 'CAST(? AS DATETIME(6))'
    case 'TIME':
      return 'CAST(? AS TIME(6))'
    default:
      return ['text', 'double'].includes(typeOf(field)) ? '?' : undefined
  }
}

export function toColumn(field: Field): SqlColumn {
  return { name: field.name, type: typeOf(field), nullable: (field.flags & NOT_NULL) === 0 }
}

export function typeOf(field: Field): SqlType {
  const isUnsigned = (field.flags & UNSIGNED) !== 0
  if (field.extendedFormat === 'json') return 'json'
  switch (typeName(field)) {
    case 'TINY':
      return field.columnLength === 1 ? 'boolean' : 'integer'
    case 'SHORT':
    case 'INT24':
    case 'YEAR':
      return 'integer'
    case 'LONG':
      return isUnsigned ? 'bigint' : 'integer'
    case 'LONGLONG':
      return 'bigint'
    case 'FLOAT':
    case 'DOUBLE':
      return 'double'
    case 'DECIMAL':
    case 'NEWDECIMAL':
      return 'decimal'
    case 'DATE':
    case 'NEWDATE':
      return 'date'
    case 'DATETIME':
      return 'timestamp'
    case 'TIMESTAMP':
      return 'timestamptz'
    case 'JSON':
    case 'GEOMETRY':
      return 'json'
    case 'TIME':
      return 'text'
    default:
      return field.characterSet === BINARY ? 'blob' : 'text'
  }
}

export function decoderOf(field: Field): (value: unknown) => SqlValue {
  const type = typeOf(field)
  switch (type) {
    case 'boolean':
      return (value) => value !== 0
    case 'bigint':
      return (value) => BigInt(value as string)
    case 'timestamp':
    case 'timestamptz':
      return (value) => toTimestampText(value as string)
    case 'json':
      return (value) => (typeof value === 'string' ? value : JSON.stringify(value))
    case 'blob':
      // A copy, because one small value would keep the whole packet in memory.
      return (value) => (value instanceof Uint8Array ? Uint8Array.from(value) : Buffer.from(String(value)))
    default:
      return (value) => value as SqlValue
  }
}

const NAMES: Readonly<Record<number, string>> = {
  0: 'DECIMAL',
  1: 'TINY',
  2: 'SHORT',
  3: 'LONG',
  4: 'FLOAT',
  5: 'DOUBLE',
  7: 'TIMESTAMP',
  8: 'LONGLONG',
  9: 'INT24',
  10: 'DATE',
  11: 'TIME',
  12: 'DATETIME',
  13: 'YEAR',
  14: 'NEWDATE',
  245: 'JSON',
  246: 'NEWDECIMAL',
  255: 'GEOMETRY'
}

function typeName(field: Field): string {
  return NAMES[field.columnType] ?? 'STRING'
}
