import { RowWriter } from '../../series/clickhouse/row-binary.ts'
import { SqlError } from '../errors.ts'
import type { SqlValue } from '../index.ts'
import { type Codec, codecOf, fieldText } from './codec.ts'
import type { Described } from './source.ts'

export interface Encoded {
  readonly format: 'RowBinary' | 'TabSeparated'
  readonly body: string | Uint8Array
}

type Columns = readonly (readonly SqlValue[])[]

/** Binary where all columns have a known form, because doubles as texts are read inexactly; else as texts. */
export function encodeRows(targets: readonly Described[], values: Columns, from: number, to: number): Encoded {
  const codecs = targets.map(({ type }) => codecOf(type))
  const isBinary = codecs.every((codec) => codec.kind !== 'text' || codec.isBytes)
  return isBinary
    ? { format: 'RowBinary', body: binary(targets, codecs, values, from, to) }
    : { format: 'TabSeparated', body: text(targets, codecs, values, from, to) }
}

function text(
  targets: readonly Described[],
  codecs: readonly Codec[],
  values: Columns,
  from: number,
  to: number
): string {
  let rows = ''
  for (let row = from; row < to; row++) {
    for (const [i, codec] of codecs.entries()) {
      const value = checked(targets[i] as Described, values[i]?.[row] ?? null)
      const field = value === null ? '\\N' : (fieldText(codec, value) ?? refuse(targets[i] as Described, value))
      rows += (i === 0 ? '' : '\t') + field
    }
    rows += '\n'
  }
  return rows
}

function binary(
  targets: readonly Described[],
  codecs: readonly Codec[],
  values: Columns,
  from: number,
  to: number
): Uint8Array {
  const out = new RowWriter()
  for (let row = from; row < to; row++) {
    for (const [i, codec] of codecs.entries()) {
      const target = targets[i] as Described
      const value = checked(target, values[i]?.[row] ?? null)
      out.reserve(34)
      if (target.type.nullable) out.uint8(value === null ? 1 : 0)
      if (value !== null && !write(out, codec, value)) refuse(target, value)
    }
  }
  return out.finish()
}

/** Writes a value; false if it does not fit. */
function write(out: RowWriter, codec: Codec, value: Exclude<SqlValue, null>): boolean {
  const parsed = codec.parse(value)
  if (parsed === undefined) return false
  if (codec.kind === 'whole') writeWhole(out, parsed as bigint, codec.bytes)
  else if (codec.kind === 'double' && codec.bytes === 8) out.float64(parsed as number)
  else if (codec.kind === 'double') out.raw(new Uint8Array(Float32Array.of(parsed as number).buffer))
  else if (typeof parsed === 'string') out.text(parsed)
  else writeBytes(out, parsed as Uint8Array)
  return true
}

function writeWhole(out: RowWriter, whole: bigint, bytes: number): void {
  if (bytes < 8) {
    let rest = Number(BigInt.asUintN(bytes * 8, whole))
    for (let i = 0; i < bytes; i++) {
      out.uint8(rest & 0xff)
      rest = Math.floor(rest / 0x100)
    }
    return
  }
  for (let i = 0; i < bytes; i += 8) out.int64(whole >> BigInt(i * 8))
}

function writeBytes(out: RowWriter, bytes: Uint8Array): void {
  out.reserve(bytes.length + 5)
  let rest = bytes.length
  while (rest >= 0x80) {
    out.uint8((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  out.uint8(rest)
  out.raw(bytes)
}

/** Refuses NULL for a column without it: newer servers would put the default in its place. */
function checked({ name, type }: Described, value: SqlValue): SqlValue {
  if (value !== null || type.nullable) return value
  throw new SqlError('bad_value', `The column ${name} takes no NULL`)
}

function refuse({ name, type }: Described, value: SqlValue): never {
  const shown = JSON.stringify(String(value).slice(0, 60))
  throw new SqlError('bad_value', `${shown} does not fit into the column ${name} of type ${type.text}`)
}
