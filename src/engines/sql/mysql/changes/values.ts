import { SqlError } from '../../errors.ts'
import type { SqlType, SqlValue } from '../../index.ts'
import type { Bytes } from './bytes.ts'
import { geometryJson } from './geometry.ts'
import { readDecimal } from './numbers.ts'
import type { LoggedColumn } from './table-map.ts'
import { readDate, readDatetime, readTime, readTimestamp } from './times.ts'
import { WIRE } from './wire-types.ts'

/** What a column is to its readers, and how its values are taken from the log. */
export interface ColumnForm {
  readonly type: SqlType
  read(bytes: Bytes): SqlValue
}

/** What the log does not say of a column. */
export interface Known {
  /** How the table declares it now, in small letters: `tinyint(1)`, `uuid`, `json`. */
  readonly declared: string
  /** Reads texts of a collation; undefined for bytes. */
  decoderOf(collation: number): ((bytes: Buffer) => string) | undefined
}

const BITS_32 = 4

export function formOf(column: LoggedColumn, known: Known): ColumnForm {
  const { type, meta, isUnsigned } = column
  const whole = (length: number): ColumnForm => ({
    type: isUnsigned && length === BITS_32 ? 'bigint' : 'integer',
    read: wholeReader(length, isUnsigned)
  })
  switch (type) {
    case WIRE.tiny:
      if (known.declared.startsWith('tinyint(1)') && !isUnsigned)
        return { type: 'boolean', read: (bytes) => bytes.number(1) !== 0 }
      return whole(1)
    case WIRE.short:
      return whole(2)
    case WIRE.int24:
      return whole(3)
    case WIRE.long:
      return whole(BITS_32)
    case WIRE.longlong:
      return { type: 'bigint', read: (bytes) => (isUnsigned ? bytes.long() : BigInt.asIntN(64, bytes.long())) }
    case WIRE.year:
      return { type: 'integer', read: (bytes) => yearOf(bytes.number(1)) }
    case WIRE.float:
      return { type: 'double', read: (bytes) => bytes.float() }
    case WIRE.double:
      return { type: 'double', read: (bytes) => bytes.double() }
    case WIRE.decimal:
      return { type: 'decimal', read: (bytes) => readDecimal(bytes, ...meta) }
    case WIRE.date:
      return { type: 'date', read: readDate }
    case WIRE.datetime:
      return { type: 'timestamp', read: (bytes) => readDatetime(bytes, meta[0]) }
    case WIRE.timestamp:
      return { type: 'timestamptz', read: (bytes) => readTimestamp(bytes, meta[0]) }
    case WIRE.time:
      return { type: 'text', read: (bytes) => readTime(bytes, meta[0]) }
    case WIRE.bit:
      return { type: 'blob', read: (bytes) => Uint8Array.from(bytes.take(meta[1] + (meta[0] > 0 ? 1 : 0))) }
    case WIRE.geometry:
      return { type: 'json', read: (bytes) => geometryJson(bytes.take(bytes.number(meta[0]))) }
    default:
      return longForm(column, known)
  }
}

function wholeReader(length: number, isUnsigned: boolean): (bytes: Bytes) => SqlValue {
  if (!isUnsigned) return (bytes) => bytes.signed(length)
  return length === BITS_32 ? (bytes) => BigInt(bytes.number(length)) : (bytes) => bytes.number(length)
}

const yearOf = (byte: number) => (byte === 0 ? 0 : 1900 + byte)

/** Words, texts and bytes. */
function longForm(column: LoggedColumn, known: Known): ColumnForm {
  const { type, meta, words } = column
  const decode = known.decoderOf(column.collation) ?? ((bytes: Buffer) => bytes.toString('utf8'))
  const length = meta[0] | (meta[1] << 8)
  const wordAt = (place: number) => decode(words[place] ?? Buffer.alloc(0))
  switch (type) {
    case WIRE.enum:
      return { type: 'text', read: (bytes) => enumWord(bytes.number(meta[0]), wordAt) }
    case WIRE.set:
      return { type: 'text', read: (bytes) => setWords(bytes.take(meta[0]), words.length, wordAt) }
    case WIRE.blob:
      return textForm(column, known, (bytes) => bytes.take(bytes.number(meta[0])))
    case WIRE.varchar:
    case WIRE.varString:
    case WIRE.string:
      return textForm(column, known, (bytes) => bytes.take(bytes.number(length > 255 ? 2 : 1)))
    default:
      throw new SqlError(
        'changes_off',
        `The column ${column.name} is of a type that can't be read from the log (${type})`
      )
  }
}

const enumWord = (place: number, wordAt: (place: number) => string) => (place === 0 ? '' : wordAt(place - 1))

function setWords(bits: Buffer, count: number, wordAt: (place: number) => string): string {
  const isIn = (place: number) => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0
  return Array.from({ length: count }, (_, place) => (isIn(place) ? [wordAt(place)] : []))
    .flat()
    .join(',')
}

function textForm(column: LoggedColumn, known: Known, take: (bytes: Bytes) => Buffer): ColumnForm {
  const decode = known.decoderOf(column.collation)
  if (decode !== undefined)
    return { type: known.declared === 'json' ? 'json' : 'text', read: (bytes) => decode(take(bytes)) }
  if (known.declared === 'uuid') return { type: 'text', read: (bytes) => uuidText(padded(take(bytes), 16)) }
  if (known.declared.startsWith('inet')) {
    const message = `The column ${column.name} is of a type that can't be read from the log (${known.declared})`
    throw new SqlError('changes_off', message)
  }
  // The log leaves out zeros at the end of bytes of a fixed length.
  const length = column.type === WIRE.string ? column.meta[0] : 0
  return { type: 'blob', read: (bytes) => Uint8Array.from(padded(take(bytes), length)) }
}

const padded = (bytes: Buffer, length: number) =>
  bytes.length >= length ? bytes : Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])

/** MariaDB turns the parts around in most of them, so that those made one after the other are sorted together. */
function uuidText(bytes: Buffer): string {
  const isTurned = ((bytes[6] ?? 0) & 0x80) !== 0
  const cuts = isTurned ? [12, 16, 10, 12, 8, 10, 6, 8, 0, 6] : [0, 4, 4, 6, 6, 8, 8, 10, 10, 16]
  return [0, 2, 4, 6, 8].map((i) => bytes.toString('hex', cuts[i], cuts[i + 1])).join('-')
}
