import type { SqlValue } from '../index.ts'
import { dayNumber, dayText, ticks, ticksText } from './days.ts'
import { decimalText, scaledDecimal } from './decimal.ts'
import { escapeBytes, escapeText } from './escape.ts'
import type { ColumnType } from './types.ts'

type Given = Exclude<SqlValue, null>

/**
 * How values of a column are sent. A value that does not fit becomes undefined: ClickHouse would silently keep some
 * of its bits.
 */
export type Codec = WholeCodec | DoubleCodec | TextCodec

/** Types that are whole numbers to ClickHouse, among them days, seconds and decimals. */
export interface WholeCodec {
  readonly kind: 'whole'
  readonly bytes: number
  parse(value: Given): bigint | undefined
  text(whole: bigint): string
}

export interface DoubleCodec {
  readonly kind: 'double'
  readonly bytes: 4 | 8
  parse(value: Given): number | undefined
}

/** Types whose binary form we do not know: only their text can be sent. */
export interface TextCodec {
  readonly kind: 'text'
  readonly isBytes: boolean
  parse(value: Given): string | Uint8Array
}

export function codecOf(type: ColumnType): Codec {
  const [first, second] = type.parameters.map(Number)
  const [, unsigned, bits] = /^(U?)Int(\d+)$/.exec(type.name) ?? []
  if (bits !== undefined) return integer(unsigned === 'U', Number(bits))
  switch (type.name) {
    case 'Bool':
      return { kind: 'whole', bytes: 1, parse: truth, text: (whole) => (whole === 1n ? 'true' : 'false') }
    case 'Float32':
      return { kind: 'double', bytes: 4, parse: double }
    case 'Float64':
      return { kind: 'double', bytes: 8, parse: double }
    case 'Decimal':
      return decimal(first as number, second as number)
    case 'Date':
      return { kind: 'whole', bytes: 2, parse: (value) => dayNumber(value, 0, 0xffff), text: dayText }
    case 'Date32':
      return { kind: 'whole', bytes: 4, parse: (value) => dayNumber(value, -25_567, 120_529), text: dayText }
    case 'DateTime':
      return time(4, 0, 0n, 0xffff_ffffn)
    case 'DateTime64':
      return time(8, first as number, -2_208_988_800n, 10_413_791_999n)
    default:
      return { kind: 'text', isBytes: type.name === 'String', parse: asText }
  }
}

/** The value as a field of TabSeparated, in which a double may lose its last bit. */
export function fieldText(codec: Codec, value: Given): string | undefined {
  switch (codec.kind) {
    case 'whole': {
      const whole = codec.parse(value)
      return whole === undefined ? undefined : codec.text(whole)
    }
    case 'double': {
      const number = codec.parse(value)
      return number === undefined ? undefined : numberText(number).replace('Infinity', 'inf').toLowerCase()
    }
    case 'text': {
      const text = codec.parse(value)
      return typeof text === 'string' ? escapeText(text) : escapeBytes(text)
    }
  }
}

function integer(isUnsigned: boolean, bits: number): WholeCodec {
  const min = isUnsigned ? 0n : -(1n << BigInt(bits - 1))
  const max = (1n << BigInt(isUnsigned ? bits : bits - 1)) - 1n
  return {
    kind: 'whole',
    bytes: bits / 8,
    text: String,
    parse(value) {
      if (typeof value === 'number' ? !Number.isInteger(value) : !/^(true|false|[+-]?\d{1,80})$/.test(String(value))) {
        return undefined
      }
      const whole = BigInt(value as number)
      return whole >= min && whole <= max ? whole : undefined
    }
  }
}

function decimal(precision: number, scale: number): WholeCodec {
  const bytes = precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32
  return {
    kind: 'whole',
    bytes,
    parse: (value) => scaledDecimal(numberText(value), precision, scale),
    text: (whole) => decimalText(whole, scale)
  }
}

function time(bytes: number, digits: number, minSeconds: bigint, maxSeconds: bigint): WholeCodec {
  return {
    kind: 'whole',
    bytes,
    parse: (value) => ticks(value, digits, minSeconds, maxSeconds),
    text: (whole) => ticksText(whole, digits)
  }
}

function truth(value: Given): bigint | undefined {
  if (value === true || value === 1 || value === 1n || value === 'true') return 1n
  return value === false || value === 0 || value === 0n || value === 'false' ? 0n : undefined
}

function double(value: Given): number | undefined {
  if (value instanceof Uint8Array || value === '') return undefined
  const number = Number(value)
  return Number.isNaN(number) && typeof value !== 'number' && value !== 'NaN' ? undefined : number
}

function asText(value: Given): string | Uint8Array {
  return value instanceof Uint8Array ? value : numberText(value)
}

function numberText(value: Given): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
