import type { Shape } from '../shape.ts'
import type { DuckdbType } from './duckdb-type.ts'

const INT: Shape = { kind: 'integer', bits: 32, signed: true }
const UNSIGNED_INT: Shape = { kind: 'integer', bits: 32, signed: false }
const LONG: Shape = { kind: 'integer', bits: 64, signed: true }
const UNSIGNED_LONG: Shape = { kind: 'integer', bits: 64, signed: false }
/** 128 bits have at most 39 digits. */
const HUGE: Shape = { kind: 'decimal', precision: 39, scale: 0 }
const TEXT: Shape = { kind: 'string' }

/** By the name that DuckDB prints, and what is not said that way. */
const TYPES = new Map<string, readonly [shape: Shape, lost?: string]>([
  ['BOOLEAN', [{ kind: 'boolean' }]],
  ['TINYINT', [INT]],
  ['SMALLINT', [INT]],
  ['INTEGER', [INT]],
  ['BIGINT', [LONG]],
  ['HUGEINT', [HUGE]],
  ['UTINYINT', [UNSIGNED_INT]],
  ['USMALLINT', [UNSIGNED_INT]],
  ['UINTEGER', [UNSIGNED_INT]],
  ['UBIGINT', [UNSIGNED_LONG]],
  ['UHUGEINT', [HUGE, 'That the UHUGEINT is never negative is not said.']],
  ['FLOAT', [{ kind: 'number', bits: 32 }]],
  ['DOUBLE', [{ kind: 'number', bits: 64 }]],
  ['VARCHAR', [TEXT]],
  ['UUID', [{ kind: 'string', format: 'uuid' }]],
  ['BLOB', [{ kind: 'bytes' }]],
  ['DATE', [{ kind: 'string', format: 'date' }]],
  ['TIMESTAMP WITH TIME ZONE', [{ kind: 'string', format: 'date-time' }]],
  ['TIME WITH TIME ZONE', [{ kind: 'string', format: 'time' }]],
  ['JSON', [{ kind: 'any' }]],
  ['VARIANT', [{ kind: 'any' }]],
  ['NULL', [{ kind: 'null' }]],
  ['INTERVAL', [TEXT, 'That the string is an INTERVAL is not said.']],
  ['BIT', [TEXT, 'That the string is a BIT string is not said.']],
  ['BIGNUM', [TEXT, 'That the string is a BIGNUM, a whole number of any size, is not said.']],
  ['GEOMETRY', [{ kind: 'bytes' }, 'That the bytes are a GEOMETRY is not said.']]
])
for (const name of ['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS']) {
  TYPES.set(name, [{ kind: 'string', format: 'date-time' }, `The ${name} has no time zone; write it as UTC.`])
}
for (const name of ['TIME', 'TIME_NS']) {
  TYPES.set(name, [{ kind: 'string', format: 'time' }, `The ${name} has no time zone; write it as UTC.`])
}
const ALIASES = new Map([
  ['INT', 'INTEGER'],
  ['REAL', 'FLOAT'],
  ['TEXT', 'VARCHAR'],
  ['STRING', 'VARCHAR'],
  ['BOOL', 'BOOLEAN'],
  ['BYTEA', 'BLOB'],
  ['DATETIME', 'TIMESTAMP'],
  ['TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'],
  ['TIMETZ', 'TIME WITH TIME ZONE'],
  ['NUMERIC', 'DECIMAL']
])
const DEFAULT_PRECISION = 18
const DEFAULT_SCALE = 3

/** Undefined where the name is none of DuckDB's own types. */
export function simpleShape(
  type: Extract<DuckdbType, { kind: 'simple' }>,
  lose: (message: string) => void
): Shape | undefined {
  const name = ALIASES.get(type.name) ?? type.name
  if (name === 'DECIMAL') {
    const [precision = DEFAULT_PRECISION, scale = type.numbers.length === 0 ? DEFAULT_SCALE : 0] = type.numbers
    return { kind: 'decimal', precision, scale }
  }
  const [shape, lost] = TYPES.get(name) ?? []
  if (lost !== undefined) lose(lost)
  return shape
}
