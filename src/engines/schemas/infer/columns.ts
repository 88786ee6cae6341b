import type { Converted, FieldShape, Loss, RecordShape, Shape } from '../format.ts'
import { type DuckdbMember, type DuckdbType, readDuckdbType } from './duckdb-type.ts'

interface Column {
  readonly name: string
  /** As DuckDB prints it. */
  readonly type: string
  readonly nullable: boolean
}

/** With more values it is no enum that people wrote, and becomes a string. */
const MAX_ENUM_VALUES = 1000
const MAX_SHOWN_CHARS = 100

/** The shape of a table's rows. Paths of what is lost are names of columns and of what is in them. */
export function shapeOfColumns(columns: readonly Column[], name: string): Converted<RecordShape> {
  const lost: Loss[] = []
  const fields = columns.map((column): FieldShape => {
    const path = `/${token(column.name)}`
    const type = readDuckdbType(column.type)
    const shape = type === undefined ? unknown(column.type, path, lost) : shapeOf(type, path, lost)
    return { name: column.name, shape: column.nullable ? orNull(shape) : shape, optional: false }
  })
  return { result: { kind: 'record', name, fields }, lost }
}

function shapeOf(type: DuckdbType, path: string, lost: Loss[]): Shape {
  const lose = (message: string) => lost.push({ path, message })
  switch (type.kind) {
    case 'simple':
      return simpleShape(type, lose) ?? unknown(type.name, path, lost)
    case 'enum':
      if (type.values.length <= MAX_ENUM_VALUES) return { kind: 'enum', values: type.values }
      lose(`The ${type.values.length} values of the ENUM are not listed; it is a string.`)
      return { kind: 'string' }
    case 'list':
      if (type.length !== undefined) lose(`That there are ${type.length} items in each array is not said.`)
      return { kind: 'list', items: orNull(shapeOf(type.items, `${path}/items`, lost)) }
    case 'map':
      if (type.keys.kind !== 'simple' || type.keys.name !== 'VARCHAR') lose('The keys of the MAP become strings.')
      return { kind: 'map', values: orNull(shapeOf(type.values, `${path}/values`, lost)) }
    case 'struct':
      return struct(type.members, path, lost)
    case 'union':
      lose('The tags of the UNION are not said, only the types of its members.')
      return unionOf(type.members.map((member) => shapeOf(member.type, `${path}/${token(member.name ?? '')}`, lost)))
  }
}

function struct(members: readonly DuckdbMember[], path: string, lost: Loss[]): Shape {
  const fields: FieldShape[] = []
  for (const { name, type } of members) {
    if (name === undefined) {
      lost.push({ path, message: 'A STRUCT whose members have no names can be anything.' })
      return { kind: 'any' }
    }
    fields.push({ name, shape: orNull(shapeOf(type, `${path}/${token(name)}`, lost)), optional: false })
  }
  return { kind: 'record', fields }
}

/** Members that differ by their tags alone are one. */
function unionOf(members: readonly Shape[]): Shape {
  const options = new Map(
    members
      .flatMap((member) => (member.kind === 'union' ? member.options : [member]))
      .map((member) => [JSON.stringify(member), member])
  )
  const [only = { kind: 'null' } as const, ...others] = options.values()
  return others.length === 0 ? only : { kind: 'union', options: [only, ...others] }
}

/** Whatever is inside a value may be null in DuckDB; there is no way to say that it is not. */
function orNull(shape: Shape): Shape {
  if (shape.kind === 'any' || shape.kind === 'null') return shape
  const options = shape.kind === 'union' ? shape.options : [shape]
  if (options.some((option) => option.kind === 'null' || option.kind === 'any')) return shape
  return { kind: 'union', options: [{ kind: 'null' }, ...options] }
}

function unknown(text: string, path: string, lost: Loss[]): Shape {
  const shown = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
  lost.push({ path, message: `The type ${shown} has no counterpart; the value can be anything.` })
  return { kind: 'any' }
}

function token(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

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
function simpleShape(
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
