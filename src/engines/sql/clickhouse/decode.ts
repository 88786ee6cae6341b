import { isUtf8 } from 'node:buffer'
import type { SqlValue } from '../index.ts'
import { toTimestampText } from '../times.ts'
import { type ColumnType, typeOf } from './types.ts'

const BACKSLASH = 0x5c

/** Reads one field of TabSeparated; the bytes are valid during the call only. */
export type Decoder = (field: Buffer) => SqlValue

export function decoderOf(type: ColumnType): Decoder {
  const decode = plainDecoder(type)
  return (field) => (isNull(field) ? null : decode(field))
}

/** Whether a field is `\N`; in a text with these characters the backslash is doubled. */
function isNull(field: Buffer): boolean {
  return field.length === 2 && field[0] === BACKSLASH && field[1] === 0x4e
}

function plainDecoder(type: ColumnType): Decoder {
  switch (typeOf(type)) {
    case 'boolean':
      return (field) => field[0] === 0x74 || field[0] === 0x31
    case 'integer':
      return (field) => Number(field.toString('latin1'))
    case 'bigint':
      return (field) => BigInt(field.toString('latin1'))
    case 'double':
      return (field) => toDouble(field.toString('latin1'))
    case 'timestamptz':
      return (field) => toTimestampText(sinceEpoch(field.toString('latin1')))
    case 'date':
      return (field) => sinceEpoch(field.toString('latin1'))
    case 'decimal':
      return (field) => field.toString('latin1')
    default:
      return toText
  }
}

/** Older versions print the first day and the first second of 1970 as zeros. */
function sinceEpoch(text: string): string {
  return text.startsWith('0000-00-00') ? `1970-01-01${text.slice(10)}` : text
}

function toDouble(text: string): number {
  if (text.endsWith('inf')) return text.startsWith('-') ? -Infinity : Infinity
  return Number(text.endsWith('nan') ? Number.NaN : text)
}

/** Text, or bytes where it is not UTF-8: a String of ClickHouse may hold any bytes. */
function toText(field: Buffer): string | Uint8Array {
  const bytes = field.includes(BACKSLASH) ? unescaped(field) : field
  const text = bytes.toString()
  return text.includes('\uFFFD') && !isUtf8(bytes) ? Uint8Array.from(bytes) : text
}

const ESCAPES: Readonly<Record<string, number>> = { b: 8, f: 12, r: 13, n: 10, t: 9, 0: 0, a: 7, v: 11, e: 27 }

function unescaped(field: Buffer): Buffer {
  const out = Buffer.allocUnsafe(field.length)
  let length = 0
  for (let i = 0; i < field.length; i++) {
    let byte = field[i] as number
    if (byte === BACKSLASH && i + 1 < field.length) {
      i += 1
      const next = field[i] as number
      byte = ESCAPES[String.fromCharCode(next)] ?? next
    }
    out[length] = byte
    length += 1
  }
  return out.subarray(0, length)
}
