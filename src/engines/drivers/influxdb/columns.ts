import type { ColumnType, Stream, StreamColumn, StreamValue } from '../index.ts'
import { parseTime, timeText } from '../machines/times.ts'
import { quoted } from './errors.ts'

/** What a field can be of. */
const FIELD_TYPES = ['float', 'integer', 'unsigned', 'string', 'boolean'] as const
type FieldType = (typeof FIELD_TYPES)[number]

const TYPES: Readonly<Record<FieldType, ColumnType>> = {
  float: 'double',
  integer: 'bigint',
  unsigned: 'bigint',
  string: 'text',
  boolean: 'boolean'
}

/** The tags of a measurement, and its fields, each with all the types that it had over time. */
export interface Measurement {
  readonly name: string
  readonly tags: readonly string[]
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

/** A column, and what to ask for to get it. */
export interface SelectedColumn extends StreamColumn {
  readonly select: string
}

const TIME: StreamColumn = { name: 'time', type: 'timestamptz', nullable: false }

/**
 * Tags first, then fields. A field that was a number of both kinds is a double; one that was of other types too has a column
 * for each of them, since a query gives values of one type only.
 */
export function columnsOf({ tags, fields }: Measurement): SelectedColumn[] {
  const names = new Set<string>([TIME.name])
  const free = (wanted: string, suffix: string) => {
    const name = names.has(wanted) ? `${wanted} (${suffix})` : wanted
    names.add(name)
    return name
  }
  const columns = tags
    .filter((tag) => tag !== TIME.name)
    .map(
      (tag): SelectedColumn => ({ name: free(tag, 'tag'), type: 'text', nullable: true, select: `${quoted(tag)}::tag` })
    )
  for (const [field, types] of fields) {
    if (field === TIME.name) continue
    for (const type of readTypes(types)) {
      const isFirst = columns.every(({ name }) => name !== field)
      const name = free(field, isFirst || types.size === 1 ? 'field' : type)
      columns.push({ name, type: TYPES[type], nullable: true, select: `${quoted(field)}::${type}` })
    }
  }
  return columns
}

function readTypes(types: ReadonlySet<string>): FieldType[] {
  const known = FIELD_TYPES.filter((type) => types.has(type))
  return known.includes('float') ? known.filter((type) => type !== 'integer' && type !== 'unsigned') : known
}

/** Points with the same time differ by their tags. */
export function toStream(measurement: Measurement): Stream {
  const { name, tags } = measurement
  const columns = columnsOf(measurement)
  return {
    name,
    kind: 'series',
    isReadable: true,
    columns: [TIME, ...columns.map(({ select: _, ...column }) => column)],
    keys: [TIME.name, ...columns.slice(0, tags.length).map((column) => column.name)],
    cursors: [TIME.name]
  }
}

/** A value of an answer as its column has it; null for what is none of its type. */
export function toValue(value: unknown, type: ColumnType): StreamValue {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'timestamptz': {
      const ns = parseTime(String(value))
      return ns === undefined ? null : timeText(ns)
    }
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
    case 'bigint':
      if (typeof value === 'bigint') return value
      return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    default:
      return typeof value === 'string' ? value : String(value)
  }
}
