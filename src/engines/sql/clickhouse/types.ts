import type { SqlColumn, SqlType } from '../index.ts'

/** A column's type, without wrappers such as Nullable. */
export interface ColumnType {
  /** `DateTime64`, `Decimal`, `String`… */
  readonly name: string
  /** The arguments in brackets. */
  readonly parameters: readonly string[]
  /** The type as ClickHouse writes it, without Nullable and LowCardinality. */
  readonly text: string
  readonly nullable: boolean
}

const WRAPPED = /^(Nullable|LowCardinality|SimpleAggregateFunction)\((.*)\)$/s
const SHAPE = /^(\w+)(?:\((.*)\))?$/s

export function parseType(text: string): ColumnType {
  const [, wrapper, inner = ''] = WRAPPED.exec(text) ?? []
  if (wrapper !== undefined) {
    const parsed = parseType(wrapper === 'SimpleAggregateFunction' ? inner.replace(/^[^,]*,\s*/, '') : inner)
    return wrapper === 'Nullable' ? { ...parsed, nullable: true } : parsed
  }
  const [, name = text, parameters = ''] = SHAPE.exec(text) ?? []
  const list = parameters === '' ? [] : parameters.split(',').map((parameter) => parameter.trim())
  return { name, parameters: list, text, nullable: false }
}

const TYPES: Readonly<Record<string, SqlType>> = {
  Bool: 'boolean',
  Int8: 'integer',
  Int16: 'integer',
  Int32: 'integer',
  UInt8: 'integer',
  UInt16: 'integer',
  UInt32: 'bigint',
  Int64: 'bigint',
  UInt64: 'bigint',
  Int128: 'decimal',
  Int256: 'decimal',
  UInt128: 'decimal',
  UInt256: 'decimal',
  Float32: 'double',
  Float64: 'double',
  Decimal: 'decimal',
  Date: 'date',
  Date32: 'date',
  DateTime: 'timestamptz',
  DateTime64: 'timestamptz'
}

export function typeOf({ name }: ColumnType): SqlType {
  return TYPES[name] ?? 'text'
}

export function toColumn(name: string, type: ColumnType): SqlColumn {
  return { name, type: typeOf(type), nullable: type.nullable }
}

/**
 * The type of a new column. Servers that know only whole seconds get times as texts, which sort the same. Decimals
 * have ten digits after the point: ClickHouse has none without a limit.
 */
export function declared(type: SqlType, isNullable: boolean, known: ReadonlySet<string>): string {
  const name = bare(type, known)
  return isNullable ? `Nullable(${name})` : name
}

function bare(type: SqlType, known: ReadonlySet<string>): string {
  switch (type) {
    case 'boolean':
      return known.has('Bool') ? 'Bool' : 'UInt8'
    case 'integer':
      return 'Int32'
    case 'bigint':
      return 'Int64'
    case 'double':
      return 'Float64'
    case 'decimal':
      return 'Decimal(38, 10)'
    case 'date':
      return known.has('Date32') ? 'Date32' : 'Date'
    case 'timestamp':
    case 'timestamptz':
      return known.has('DateTime64') ? "DateTime64(6, 'UTC')" : 'String'
    default:
      return 'String'
  }
}
