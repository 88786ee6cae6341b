import { double, jsonText, timeText, truth, wholeNumber } from '../common/values.ts'
import type { ColumnType, StreamValue } from '../index.ts'

/** A value with its type, as the Query API has it in its typed form. */
export interface Typed {
  readonly $type: string
  readonly _value: unknown
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  Boolean: 'boolean',
  Integer: 'bigint',
  Float: 'double',
  String: 'text',
  Date: 'date',
  LocalDateTime: 'timestamp',
  ZonedDateTime: 'timestamptz',
  OffsetDateTime: 'timestamptz',
  Base64: 'blob',
  Time: 'text',
  LocalTime: 'text',
  Duration: 'text'
}

/** The types of values that a column of a type is compared with; others have no order to go on in. */
const COMPARED: Partial<Record<ColumnType, string>> = {
  bigint: 'Integer',
  double: 'Float',
  text: 'String',
  date: 'Date',
  timestamp: 'LocalDateTime',
  timestamptz: 'OffsetDateTime'
}

export const typeOf = ({ $type }: Typed): ColumnType | undefined =>
  $type === 'Null' ? undefined : (TYPES[$type] ?? 'json')

/** The type that holds values of both: the wider of two numbers, JSON for whatever else differs. */
export function joined(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a
  const isNumber = [a, b].every((type) => type === 'bigint' || type === 'double')
  return isNumber ? 'double' : 'json'
}

/** A value in a column of a type; null where it does not fit. */
export function cellOf(type: ColumnType, value: Typed | undefined): StreamValue {
  const own = value && typeOf(value)
  if (own === undefined || value === undefined) return null
  if (type === 'json') return jsonText(plain(value))
  if (joined(type, own) !== type) return null
  switch (type) {
    case 'boolean':
      return truth(value._value)
    case 'bigint':
      return wholeNumber(value._value)
    case 'double':
      return double(value._value)
    case 'timestamp':
      return timeText(String(value._value))
    case 'timestamptz':
      return instantText(String(value._value))
    case 'blob':
      return Uint8Array.from(Buffer.from(String(value._value), 'base64'))
    default:
      return String(value._value)
  }
}

/** What a position is sent as; undefined where values of the type have no order. */
export function comparable(type: ColumnType, text: string): Typed | undefined {
  const $type = COMPARED[type]
  if ($type === undefined) return undefined
  const isTime = type === 'timestamp' || type === 'timestamptz'
  const iso = isTime ? `${text.length === 10 ? `${text} 00:00:00` : text}`.replace(' ', 'T') : text
  return { $type, _value: type === 'timestamptz' && !/(?:Z|[+-]\d\d:\d\d)$/.test(iso) ? `${iso}Z` : iso }
}

const ZONED = /^(.{19,}?)(\.\d+)?(Z|[+-]\d\d:\d\d)(?:\[.*\])?$/

/** A time with a zone, in UTC with all its digits. */
function instantText(text: string): string | null {
  const [, whole, fraction = '', offset] = ZONED.exec(text.replace(/T(\d\d:\d\d)(?=Z|[+-])/, 'T$1:00')) ?? []
  const date = new Date(`${whole}${offset}`)
  return whole === undefined || Number.isNaN(date.getTime())
    ? null
    : timeText(date.toISOString().replace('.000Z', `${fraction}Z`))
}

function plain({ $type, _value }: Typed): unknown {
  if (_value === null || _value === undefined) return null
  if ($type === 'List') return (_value as readonly Typed[]).map(plain)
  if ($type === 'Map') {
    return Object.fromEntries(
      Object.entries(_value as Record<string, Typed>).map(([name, value]) => [name, plain(value)])
    )
  }
  if ($type === 'Integer') return wholeNumber(_value) ?? _value
  if ($type === 'Float') return Number.isFinite(Number(_value)) ? Number(_value) : String(_value)
  return _value
}
