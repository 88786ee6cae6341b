import { decimalText, isoTime, jsonText, timeText } from '../common/values.ts'
import type { ColumnType, StreamValue } from '../index.ts'
import type { MongoPackage } from './package.ts'

/** What a value of BSON is: a type of columns, or an id, which becomes a text and is compared as an id. */
export type Kind = ColumnType | 'id'

/** A value that the package wraps, because JavaScript has no type for it; others are as JavaScript has them. */
interface Wrapped {
  readonly _bsontype: string
  readonly value?: unknown
  readonly buffer?: Uint8Array
  readonly position?: number
  toString(): string
}

export function kindOf(value: unknown): Kind | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  if (value instanceof Date) return 'timestamptz'
  switch ((value as Wrapped)._bsontype) {
    case 'ObjectId':
      return 'id'
    case 'Int32':
      return 'integer'
    case 'Long':
      return 'bigint'
    case 'Double':
      return 'double'
    case 'Decimal128':
      return 'decimal'
    case 'Binary':
    case 'UUID':
      return 'blob'
    case 'BSONSymbol':
      return 'text'
    default:
      return 'json'
  }
}

const NUMBERS: readonly Kind[] = ['integer', 'bigint', 'double', 'decimal']

/** The kind that holds values of both: numbers the wider, text and ids text, whatever else differs JSON. */
export function joined(a: Kind, b: Kind): Kind {
  if (a === b) return a
  const [at, other] = [NUMBERS.indexOf(a), NUMBERS.indexOf(b)]
  if (at >= 0 && other >= 0) return NUMBERS[Math.max(at, other)] as Kind
  return [a, b].every((kind) => kind === 'text' || kind === 'id') ? 'text' : 'json'
}

export const columnType = (kind: Kind): ColumnType => (kind === 'id' ? 'text' : kind)

/** A value in a column of a kind; null where it does not fit. */
export function cellOf(kind: Kind, value: unknown): StreamValue {
  const own = kindOf(value)
  if (own === undefined) return null
  if (kind === 'json') return jsonText(plain(value))
  if (joined(kind, own) !== kind) return null
  switch (kind) {
    case 'boolean':
      return value as boolean
    case 'timestamptz':
      return timeOf(value as Date)
    case 'integer':
      return (value as Wrapped).value as number
    case 'bigint':
      return BigInt(String(value))
    case 'double':
      return Number(String(value))
    case 'decimal':
      return decimalText(String(value))
    case 'blob':
      return bytesOf(value as Wrapped)
    default:
      return String(value)
  }
}

/** What a position stands for, to compare with; undefined where it is none of the kind. */
export function comparable(kind: Kind, text: string, { ObjectId, Long, Decimal128 }: MongoPackage): unknown {
  switch (kind) {
    case 'id':
      return /^[0-9a-f]{24}$/i.test(text) ? ObjectId.createFromHexString(text) : undefined
    case 'timestamptz': {
      const date = new Date(isoTime(text))
      return Number.isNaN(date.getTime()) ? undefined : date
    }
    case 'integer':
    case 'double':
      return Number.isNaN(Number(text)) ? undefined : Number(text)
    case 'bigint':
      return /^[+-]?\d+$/.test(text) ? Long.fromString(text.replace(/^\+/, '')) : undefined
    case 'decimal':
      return decimalText(text) === null ? undefined : Decimal128.fromString(text)
    case 'text':
      return text
    default:
      return undefined
  }
}

/** Times before year 0 and after 9999 have no such text. */
function timeOf(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : timeText(date.toISOString())
}

function bytesOf({ buffer, position = buffer?.length }: Wrapped): Uint8Array {
  return Uint8Array.from(buffer?.subarray(0, position) ?? [])
}

/** As JSON has it: ids and decimals are texts, bytes base64. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  const kind = kindOf(value)
  if (kind === undefined) return null
  if (kind === 'timestamptz') return timeOf(value as Date)
  if (kind === 'blob') return Buffer.from(bytesOf(value as Wrapped)).toString('base64')
  if (kind === 'double') return finite(Number(String(value)))
  if (kind !== 'json') return cellOf(kind, value)
  if (value instanceof RegExp) return String(value)
  const { _bsontype: odd } = value as Wrapped
  if (typeof odd === 'string') return odd === 'Timestamp' ? String(value) : odd
  return Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, plain(part)]))
}

const finite = (number: number) => (Number.isFinite(number) ? number : String(number))
