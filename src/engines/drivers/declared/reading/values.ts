import { decimalText, jsonText } from '../../common/values.ts'
import type { ColumnType, StreamValue } from '../../index.ts'

/** What a value of JSON is as a type of columns; undefined where there is none. */
export function typeOf(value: unknown): ColumnType | undefined {
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'boolean':
      return 'boolean'
    case 'bigint':
      return isLong(value) ? 'bigint' : 'json'
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'bigint' : 'double'
    default:
      return value === null || value === undefined ? undefined : 'json'
  }
}

/** The type that holds values of both: numbers the wider, whatever else differs JSON. */
export function joinedType(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a
  const isNumber = (type: ColumnType) => type === 'bigint' || type === 'double'
  return isNumber(a) && isNumber(b) ? 'double' : 'json'
}

/** A value in a column of a type; undefined where it does not fit, so that nothing of it is lost. */
export function cellOf(type: ColumnType, value: unknown): StreamValue | undefined {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'json':
      return jsonText(value)
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'bigint':
      return longOf(value)
    case 'integer':
      return typeof value === 'number' && value === (value | 0) && !Object.is(value, -0) ? value : undefined
    case 'double':
      return typeof value === 'number' ? value : undefined
    case 'decimal':
      return typeof value === 'boolean' ? undefined : (decimalText(value) ?? undefined)
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined
    case 'timestamptz':
      return typeof value === 'string' ? timeOf(value, true) : undefined
    case 'timestamp':
      return typeof value === 'string' ? timeOf(value, false) : undefined
    default:
      return undefined
  }
}

const LEAST_LONG = -(2n ** 63n)
const isLong = (value: bigint) => value >= LEAST_LONG && value < -LEAST_LONG

function longOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return isLong(value) ? value : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : undefined
}

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,12}))?)?(Z|[+-]\d\d:?\d\d)?$/i

/** A time as this project writes it, in UTC; one without a zone only where the column has none. */
function timeOf(text: string, hasZone: boolean): string | undefined {
  const [, day, time, second = '00', fraction = '', zone] = TIME.exec(text) ?? []
  if (day === undefined || hasZone !== (zone !== undefined)) return undefined
  const told = zone === undefined ? 'Z' : zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${day}T${time}:${second}${told.toUpperCase()}`)
  if (Number.isNaN(ms)) return undefined
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}.${fraction.padEnd(6, '0')}`
}
